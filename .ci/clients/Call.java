import java.util.stream.Collectors;

import dev.windrow.client.ApiClient;
import dev.windrow.client.api.DatasetsApi;
import dev.windrow.client.api.QueriesApi;
import dev.windrow.client.model.TotalsView;

/** Prints the datasets, and how many clicks there are before a time, by the generated client. */
public final class Call {

    private Call() {
    }

    /** @param arguments address of the gatherer, and a time */
    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(arguments[0]);
        String names = new DatasetsApi(client).datasets().getItems().stream().map(dataset -> dataset.getName())
                .collect(Collectors.joining(" "));
        TotalsView totals = new QueriesApi(client).totals(
                QueriesApi.APITotalsRequest.newBuilder().dataset("clicks").to(arguments[1]).build());
        System.out.println(names + " " + totals.getMeasures().get("events").toPlainString());
    }
}
