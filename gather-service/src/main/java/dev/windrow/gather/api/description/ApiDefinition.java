package dev.windrow.gather.api.description;

import jakarta.ws.rs.core.Application;

import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.info.License;
import org.eclipse.microprofile.openapi.annotations.servers.Server;

/** Heads the API's description. */
@OpenAPIDefinition(info = @Info(title = "Windrow gatherer", version = "v1", license = @License(name = "Apache License 2.0", identifier = "Apache-2.0"), description = """
        Exact answers about aggregated events. Numbers are exact decimals; times are RFC 3339 in UTC, or seconds since \
        1970 in parameters; ranges are half-open; unknown parameters are errors."""), servers = @Server(url = "/", description = "Where this description was loaded from"))
public class ApiDefinition extends Application {
}
