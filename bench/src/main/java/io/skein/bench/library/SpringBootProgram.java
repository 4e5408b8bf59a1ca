package io.skein.bench.library;

import io.skein.bench.server.Server;
import io.skein.bench.server.Service;
import java.net.InetAddress;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.apache.coyote.ProtocolHandler;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.TomcatProtocolHandlerCustomizer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Spring Boot with Spring MVC on Tomcat, which is given its executor by a bean. */
final class SpringBootProgram implements LibraryServer.Program {
    private final ServletWebServerApplicationContext context;

    /** The application, as its author writes it. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Application {
        @GetMapping("/hello")
        String hello() {
            return Service.HELLO;
        }
    }

    SpringBootProgram(Threads threads) {
        Map<String, Object> properties = Map.of(
                "server.port",
                0,
                "server.address",
                InetAddress.getLoopbackAddress().getHostAddress(),
                "server.tomcat.accept-count",
                Server.BACKLOG,
                "server.tomcat.max-keep-alive-requests",
                -1,
                "logging.level.root",
                "ERROR");
        context = (ServletWebServerApplicationContext) new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .bannerMode(Banner.Mode.OFF)
                .registerShutdownHook(false)
                .properties(properties)
                .initializers(executor(threads.executor()))
                .run();
    }

    /** The bean, which users declare as a method. */
    private static ApplicationContextInitializer<GenericApplicationContext> executor(Executor executor) {
        TomcatProtocolHandlerCustomizer<ProtocolHandler> customizer = handler -> handler.setExecutor(executor);
        return context -> context.registerBean(TomcatProtocolHandlerCustomizer.class, () -> customizer);
    }

    @Override
    public int port() {
        return Objects.requireNonNull(context.getWebServer()).getPort();
    }

    @Override
    public String describe() {
        return "Spring Boot " + SpringBootVersion.getVersion();
    }

    @Override
    public void close() {
        context.close();
    }
}
