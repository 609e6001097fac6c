import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AcademicAffairsApi;
import org.openapitools.client.api.AuthenticationApi;
import org.openapitools.client.model.FailureEnvelope;
import org.openapitools.client.model.LoginRequest;
import org.openapitools.client.model.TermItem;

/** Logs in, reads scores with their age, and tells failures by their code, with the client that was generated for Java. */
public class Program {
    public static void main(String[] args) throws Exception {
        var client = new ApiClient();
        client.updateBaseUri(args[0]);
        var pair = new LoginRequest().userid(args[1]).password(args[2]).vpnPassword(args[3]);
        bearer(client, new AuthenticationApi(client).login(pair, null).getData().getToken());
        var academics = new AcademicAffairsApi(client);
        var terms = academics.listTerms(null, null, null).getData();
        var term = terms.stream().filter(TermItem::getIsCurrent).findFirst().orElseThrow().getTermCode();
        var asked = academics.listTermScores(term, "max-age=0", null, null);
        var copy = academics.listTermScoresWithHttpInfo(term, null, "only", null);
        if (!asked.getData().getTotalCount().equals(copy.getData().getData().getTotalCount())) {
            throw new IllegalStateException("the copy says something else");
        }
        System.out.println("age " + (Integer.parseInt(copy.getHeaders().get("age").get(0)) >= 0));
        bearer(client, "wrong");
        try {
            new AcademicAffairsApi(client).getAcademicInfo(null, null, null);
        } catch (ApiException failure) {
            var told = client.getObjectMapper().readValue(failure.getResponseBody(), FailureEnvelope.class);
            System.out.println("failure " + failure.getCode() + " " + told.getError().getCode());
        }
    }

    static void bearer(ApiClient client, String token) {
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    }
}
