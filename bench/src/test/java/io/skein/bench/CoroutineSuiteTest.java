package io.skein.bench;

import org.junit.jupiter.api.Test;

class CoroutineSuiteTest {
    @Test
    void everyContenderOfEveryCaseRuns() throws Exception {
        SuiteCheck.everyContenderRuns(CoroutineSuite.SUITE);
    }

    @Test
    void everyClaimIsAboutContendersOfItsCase() {
        SuiteCheck.everyClaimIsAboutContendersOfItsCase(CoroutineSuite.SUITE);
    }
}
