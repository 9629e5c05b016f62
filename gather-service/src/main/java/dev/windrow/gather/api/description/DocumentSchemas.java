package dev.windrow.gather.api.description;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.models.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.gather.api.problem.Problem;
import dev.windrow.gather.api.problem.ProblemsResource;
import dev.windrow.gather.api.rendering.BucketView;
import dev.windrow.gather.api.rendering.BusiestView;
import dev.windrow.gather.api.rendering.CompareView;
import dev.windrow.gather.api.rendering.DatasetView;
import dev.windrow.gather.api.rendering.Page;
import dev.windrow.gather.api.rendering.PositionView;
import dev.windrow.gather.api.rendering.QueryExplanation;
import dev.windrow.gather.api.rendering.TopView;
import dev.windrow.gather.api.rendering.TotalsView;
import dev.windrow.gather.api.rendering.Warning;
import dev.windrow.gather.api.resource.DatasetsResource;

/**
 * Says which properties of a document are always present and which may be null, so that generated clients need no checks
 * for values that are never absent. Both follow from the annotations that decide how a document is written.
 */
final class DocumentSchemas {

    private static final List<Class<? extends Record>> DOCUMENTS = List.of(BucketView.class, BusiestView.class,
            CompareView.class, CompareView.PeriodView.class, CompareView.ChangeView.class, DatasetView.class,
            DatasetView.AcceptView.class, DatasetView.MeasureView.class, DatasetView.EpochView.class,
            DatasetView.RankView.class,
            DatasetsResource.DatasetList.class, Page.class, PositionView.class,
            PositionView.PlaceView.class, Problem.class, ProblemsResource.Explanation.class,
            QueryExplanation.class, QueryExplanation.StageView.class, QueryExplanation.LagView.class, TopView.class,
            TotalsView.class, Warning.class);

    private DocumentSchemas() {
    }

    /** @param schemas the description's, by name */
    static void complete(Map<String, Schema> schemas) {
        schemas.forEach((name, schema) -> DOCUMENTS.stream().filter(document -> name.startsWith(nameOf(document)))
                .filter(document -> document == Page.class || name.equals(nameOf(document)))
                .forEach(document -> complete(schemas, schema, document)));
    }

    private static String nameOf(Class<? extends Record> document) {
        var described = document.getAnnotation(org.eclipse.microprofile.openapi.annotations.media.Schema.class);
        return described == null || described.name().isEmpty() ? document.getSimpleName() : described.name();
    }

    private static void complete(Map<String, Schema> schemas, Schema schema, Class<? extends Record> document) {
        List<String> required = new ArrayList<>();
        for (RecordComponent component : document.getRecordComponents()) {
            Schema property = schema.getProperties().get(component.getName());
            if (property == null || has(document, component, JsonIgnore.class)) {
                continue;
            }
            boolean omitted = document.isAnnotationPresent(JsonInclude.class) || has(document, component, JsonInclude.class);
            boolean nullable = isNullable(component.getAnnotatedType());
            if (!nullable || !omitted) {
                required.add(component.getName());
            }
            if (nullable && !omitted) {
                addNull(schemas, property);
            }
            Schema values = property.getAdditionalPropertiesSchema();
            if (values != null && hasNullableValues(component.getAnnotatedType())) {
                addNull(schemas, values);
            }
        }
        schema.setRequired(required);
    }

    /** Annotations of a record's component that are not for components are its field's. */
    private static boolean has(Class<? extends Record> document, RecordComponent component,
            Class<? extends Annotation> annotation) {
        try {
            return document.getDeclaredField(component.getName()).isAnnotationPresent(annotation);
        } catch (NoSuchFieldException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static boolean isNullable(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class);
    }

    private static boolean hasNullableValues(AnnotatedType map) {
        AnnotatedType[] arguments = map instanceof AnnotatedParameterizedType type
                ? type.getAnnotatedActualTypeArguments()
                : new AnnotatedType[0];
        return arguments.length == 2 && isNullable(arguments[1]);
    }

    /** The type referred to allows null as well: client generators do not support a choice of reference or null. */
    private static void addNull(Map<String, Schema> schemas, Schema schema) {
        String ref = schema.getRef();
        Schema described = ref == null ? schema : schemas.getOrDefault(ref.substring(ref.lastIndexOf('/') + 1), schema);
        if (!described.getType().contains(Schema.SchemaType.NULL)) {
            described.addType(Schema.SchemaType.NULL);
        }
    }
}
