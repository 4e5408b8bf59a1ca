package io.skein.cli.doctor;

import io.skein.Diagnosis;
import io.skein.Diagnosis.Flag;
import io.skein.Diagnosis.IoUring;
import io.skein.Diagnosis.Jdk;
import io.skein.Diagnosis.Limit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A diagnosis for programs. The names here are what scripts rely on; a limit that does not exist is null. */
final class JsonReport {

    private JsonReport() {}

    static String of(Diagnosis diagnosis) {
        Map<String, @Nullable Object> report = new LinkedHashMap<>();
        report.put("operatingSystem", diagnosis.operatingSystem());
        report.put("architecture", diagnosis.architecture());
        report.put("jdk", jdk(diagnosis.java()));
        report.put("ioUring", ioUring(diagnosis.ioUring()));
        report.put("limits", diagnosis.limits().stream().map(JsonReport::limit).toList());
        report.put("flags", diagnosis.flags().stream().map(JsonReport::flag).toList());
        report.put("driver", diagnosis.driver().name().toLowerCase(Locale.ROOT));
        report.put("driverReason", diagnosis.driverReason());
        report.put("mode", diagnosis.ownWorkers() ? "own-workers" : "jdk-scheduler");
        report.put("modeReason", diagnosis.modeReason());
        return Json.write(report);
    }

    private static Map<String, Object> jdk(Jdk jdk) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("version", jdk.version());
        object.put("vendor", jdk.vendor());
        object.put("vm", jdk.vm());
        return object;
    }

    private static Map<String, Object> ioUring(IoUring ioUring) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("available", ioUring.available());
        object.put("reason", ioUring.reason());
        object.put("setupFlags", List.copyOf(ioUring.setupFlags()));
        object.put("features", List.copyOf(ioUring.features()));
        object.put("operations", List.copyOf(ioUring.operations()));
        object.put("registeredRing", ioUring.registeredRing());
        return object;
    }

    private static Map<String, @Nullable Object> limit(Limit limit) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("name", limit.name());
        object.put("soft", limit.soft() < 0 ? null : limit.soft());
        object.put("hard", limit.hard() < 0 ? null : limit.hard());
        return object;
    }

    private static Map<String, Object> flag(Flag flag) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("text", flag.text());
        object.put("present", flag.present());
        object.put("brings", flag.brings());
        return object;
    }
}
