package io.skein.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.internal.sync.WaitQueue.Place;
import io.skein.internal.sync.WaitQueue.Served;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A line: who stands where in it, and who has left it. */
class WaitQueueTest {
    private final WaitQueue line = new WaitQueue();

    private List<Place> lineUp(int count) {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Place place = new Place(new Waiter(), i);
            line.add(place);
            places.add(place);
        }
        return places;
    }

    private List<Place> pollAll() {
        List<Place> polled = new ArrayList<>();
        for (Place place = line.poll(); place != null; place = line.poll()) {
            polled.add(place);
        }
        return polled;
    }

    @Test
    void anEmptyLineHasNobody() {
        assertThat(line.isEmpty()).isTrue();
        assertThat(line.first()).isNull();
        assertThat(line.poll()).isNull();
        assertThat(line.described()).isEmpty();
    }

    @Test
    void thoseInLineAreTakenInTheOrderInWhichTheyCame() {
        List<Place> places = lineUp(4);

        assertThat(line.isEmpty()).isFalse();
        assertThat(line.first()).isSameAs(places.getFirst());
        assertThat(pollAll()).isEqualTo(places);
        assertThat(line.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void whoLeavesALineLeavesTheOthersInOrder(int position) {
        List<Place> places = lineUp(4);
        Place gone = places.remove(position);

        line.remove(gone);
        places.addAll(lineUp(1));

        assertThat(line.contains(gone)).isFalse();
        assertThat(gone.inLine()).isFalse();
        assertThat(line.described()).isEqualTo(", 4 waiting");
        assertThat(pollAll()).isEqualTo(places);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void twoNeighboursMayLeave(int position) {
        List<Place> places = lineUp(4);

        line.remove(places.remove(position + 1));
        line.remove(places.remove(position));

        assertThat(pollAll()).isEqualTo(places);
    }

    @Test
    void whoHasLeftOrStandsElsewhereIsNotRemovedAgain() {
        WaitQueue other = new WaitQueue();
        Place elsewhere = new Place(new Waiter(), null);
        other.add(elsewhere);
        Place gone = lineUp(3).getFirst();
        line.remove(gone);

        line.remove(gone);
        line.remove(elsewhere);

        assertThat(line.described()).isEqualTo(", 2 waiting");
        assertThat(other.contains(elsewhere)).isTrue();
        assertThat(line.contains(elsewhere)).isFalse();
    }

    @Test
    void whoHasLeftMayGetInAnotherLine() {
        List<Place> places = lineUp(3);
        WaitQueue other = new WaitQueue();

        other.add(Objects.requireNonNull(line.poll()));
        other.add(Objects.requireNonNull(line.poll()));

        assertThat(other.described()).isEqualTo(", 2 waiting");
        assertThat(other.poll()).isSameAs(places.get(0));
        assertThat(other.poll()).isSameAs(places.get(1));
        assertThat(line.poll()).isSameAs(places.get(2));
    }

    @Test
    void aPlaceKeepsWhatItsWaiterBroughtUntilItIsGivenSomething() {
        Waiter waiter = new Waiter();
        Place place = new Place(waiter, "brought");
        assertThat(place.item()).isEqualTo("brought");

        place.setItem("given");

        assertThat(place.item()).isEqualTo("given");
        assertThat(place.waiter()).isSameAs(waiter);
        assertThat(place.inLine()).isFalse();
    }

    @Test
    void moreThanPeopleCountAreNotCounted() {
        lineUp(999);
        assertThat(line.described()).isEqualTo(", 999 waiting");

        lineUp(1);
        assertThat(line.described()).isEqualTo(", 1000 or more waiting");

        lineUp(1);
        assertThat(line.described()).isEqualTo(", 1000 or more waiting");
    }

    @Test
    void everybodyWhoWasServedIsResumedAndNobodyElse() {
        List<Place> places = lineUp(4);
        Served served = new Served();
        for (int i = 0; i < 3; i++) {
            Place first = Objects.requireNonNull(line.poll());
            served.add(first);
        }

        served.resume();

        assertThat(places).extracting(place -> place.waiter().isWaiting()).containsExactly(false, false, false, true);
    }
}
