"""Logs in, reads scores with their age, and tells failures by their code, with the client that was generated for Python."""

import sys

from openapi_client import ApiClient, ApiException, AcademicAffairsApi, AuthenticationApi, Configuration
from openapi_client.models import LoginRequest


def code_of(failure: ApiException) -> str:
    return failure.data.error.code.value


base, userid, password, vpn_password = sys.argv[1:]
configuration = Configuration(host=base)
with ApiClient(configuration) as client:
    pair = LoginRequest(userid=userid, password=password, vpn_password=vpn_password)
    configuration.access_token = AuthenticationApi(client).login(pair).data.token
    academics = AcademicAffairsApi(client)
    term = next(each for each in academics.list_terms().data if each.is_current)
    asked = academics.list_term_scores_with_http_info(term.term_code, cache_control="max-age=0")
    copy = academics.list_term_scores_with_http_info(term.term_code, x_copy="only")
    assert asked.data.data.total_count == copy.data.data.total_count
    assert "age" not in asked.headers or asked.headers["age"] == "0"
    print("age", int(copy.headers["age"]) >= 0)
    configuration.access_token = "wrong"
    try:
        academics.get_academic_info()
    except ApiException as failure:
        print("failure", failure.status, code_of(failure))
