package io.skein.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Diagnosis;
import io.skein.Diagnosis.Flag;
import io.skein.Diagnosis.IoUring;
import io.skein.Diagnosis.Jdk;
import io.skein.Diagnosis.Limit;
import io.skein.DriverKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoctorReportTest {

    private static final Diagnosis REFUSED = new Diagnosis(
            "Linux 6.1",
            "amd64",
            new IoUring(false, "io_uring_setup: not permitted (EPERM)", List.of(), List.of(), List.of(), false),
            List.of(new Limit("open files", 1024, -1), new Limit("locked memory", 4096, 4096)),
            new Jdk("25", "Somebody", "Some VM"),
            List.of(new Flag("--some-flag=\"x\"", false, "some speed")),
            DriverKind.NIO,
            "io_uring_setup: not permitted (EPERM)",
            false,
            "--some-flag is missing");

    @Test
    void peopleReadWhatIsChosenAndExactlyWhy() {
        assertThat(TextReport.of(REFUSED)).isEqualTo("""
                driver            nio, because io_uring_setup: not permitted (EPERM)
                mode              the JDK's scheduler, because --some-flag is missing

                system            Linux 6.1, amd64
                JDK               25, Somebody, Some VM
                io_uring          cannot be had: io_uring_setup: not permitted (EPERM)
                limit             open files: 1,024, can be raised to unlimited
                limit             locked memory: 4,096
                flag missing      --some-flag="x": some speed""");
    }

    @Test
    void programsReadTheSameAsJson() {
        assertThat(JsonReport.of(REFUSED)).isEqualTo("""
                {
                  "operatingSystem": "Linux 6.1",
                  "architecture": "amd64",
                  "jdk": {
                    "version": "25",
                    "vendor": "Somebody",
                    "vm": "Some VM"
                  },
                  "ioUring": {
                    "available": false,
                    "reason": "io_uring_setup: not permitted (EPERM)",
                    "setupFlags": [],
                    "features": [],
                    "operations": [],
                    "registeredRing": false
                  },
                  "limits": [
                    {
                      "name": "open files",
                      "soft": 1024,
                      "hard": null
                    },
                    {
                      "name": "locked memory",
                      "soft": 4096,
                      "hard": 4096
                    }
                  ],
                  "flags": [
                    {
                      "text": "--some-flag=\\"x\\"",
                      "present": false,
                      "brings": "some speed"
                    }
                  ],
                  "driver": "nio",
                  "driverReason": "io_uring_setup: not permitted (EPERM)",
                  "mode": "jdk-scheduler",
                  "modeReason": "--some-flag is missing"
                }""");
    }

    @Test
    void thisMachineFitsOnATerminal() {
        assertThat(TextReport.of(Diagnosis.take()).lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }
}
