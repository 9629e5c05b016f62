package dev.windrow.gather.api.description;

import java.util.LinkedHashMap;
import java.util.Map;

import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.security.SecurityScheme;

import dev.windrow.base.Reason;
import dev.windrow.gather.api.problem.Problem;
import dev.windrow.gather.query.QueryKind;
import dev.windrow.gather.security.ApiAuthentication;
import dev.windrow.gather.security.Authentication;
import io.quarkus.smallrye.openapi.OpenApiFilter;

/** Completes the API's description, at each start, with the credentials that this service requires. */
@OpenApiFilter(OpenApiFilter.RunStage.RUN)
public class CredentialsDescription implements OASFilter {

    @Override
    public void filterOpenAPI(OpenAPI api) {
        Authentication authentication = ConfigProvider.getConfig()
                .getOptionalValue("windrow.gather.authentication.type", Authentication.class).orElse(Authentication.NONE);
        Map<String, SecurityScheme> schemes = schemes(authentication);
        if (schemes.isEmpty()) {
            return;
        }
        Components components = api.getComponents();
        schemes.forEach(components::addSecurityScheme);
        api.getPaths().getPathItems().forEach((path, item) -> {
            if (!path.startsWith(Problem.TYPES)) {
                describe(item, schemes, authentication == Authentication.OIDC || QueryKind.ofPath(path).isPresent());
            }
        });
    }

    /** Any one of them is enough. */
    private static Map<String, SecurityScheme> schemes(Authentication authentication) {
        Map<String, SecurityScheme> schemes = new LinkedHashMap<>();
        switch (authentication) {
            case NONE -> {
            }
            case API_KEY -> {
                schemes.put("key", OASFactory.createSecurityScheme().type(SecurityScheme.Type.APIKEY)
                        .in(SecurityScheme.In.HEADER).name(ApiAuthentication.KEY_HEADER).description("An API key."));
                schemes.put("bearer-key", bearer("An API key."));
            }
            case OIDC -> schemes.put("token",
                    bearer("A token of the OpenID Connect provider; a claim of it names the tenant.").bearerFormat("JWT"));
        }
        return schemes;
    }

    private static SecurityScheme bearer(String description) {
        return OASFactory.createSecurityScheme().type(SecurityScheme.Type.HTTP).scheme("bearer").description(description);
    }

    /** @param bound whether a valid credential may still be the wrong one: of another tenant, or of none */
    private static void describe(PathItem item, Map<String, SecurityScheme> schemes, boolean bound) {
        item.getOperations().values().forEach(described -> {
            schemes.keySet().forEach(
                    scheme -> described.addSecurityRequirement(OASFactory.createSecurityRequirement().addScheme(scheme)));
            ApiDescription.addProblem(described.getResponses(), Reason.UNAUTHENTICATED);
            if (bound) {
                ApiDescription.addProblem(described.getResponses(), Reason.FORBIDDEN);
            }
        });
    }
}
