package io.skein.bench;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long") // a JVM for each of a hundred contenders
class SyncSuiteTest {
    @Test
    void everyContenderOfEveryCaseRuns() throws Exception {
        SuiteCheck.everyContenderRuns(SyncSuite.SUITE);
    }

    @Test
    void everyClaimIsAboutContendersOfItsCase() {
        SuiteCheck.everyClaimIsAboutContendersOfItsCase(SyncSuite.SUITE);
    }
}
