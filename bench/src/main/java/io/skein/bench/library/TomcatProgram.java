package io.skein.bench.library;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.skein.bench.server.Server;
import io.skein.bench.server.Service;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.ServerInfo;

/** Tomcat as Spring Boot starts it with virtual threads: a thread of its own polls, and hands each request to a virtual thread. */
final class TomcatProgram implements LibraryServer.Program {
    private static final byte[] HELLO = Service.HELLO.getBytes(US_ASCII);

    /** Kept, or its level would be forgotten. */
    private static final Logger LOGGER = Logger.getLogger("org.apache");

    private final Tomcat tomcat = new Tomcat();
    private final Path folder = Files.createTempDirectory("skein-bench-tomcat");

    private static final class Hello extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentLength(HELLO.length);
            response.getOutputStream().write(HELLO);
        }
    }

    TomcatProgram(Threads threads) throws IOException, LifecycleException {
        LOGGER.setLevel(Level.SEVERE);
        tomcat.setBaseDir(folder.toString());
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", InetAddress.getLoopbackAddress().getHostAddress());
        connector.setProperty("acceptCount", Integer.toString(Server.BACKLOG));
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.getProtocolHandler().setExecutor(threads.executor());
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "hello", new Hello());
        context.addServletMappingDecoded("/hello", "hello");
        tomcat.start();
    }

    @Override
    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public String describe() {
        return ServerInfo.getServerInfo();
    }

    @Override
    public void close() throws LifecycleException, IOException {
        tomcat.stop();
        tomcat.destroy();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
