// Logs in, reads scores with their age, and tells failures by their code, with the client that was generated for Go.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	campus "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	base, pair := os.Args[1], campus.NewLoginRequest(os.Args[2], os.Args[3], os.Args[4])
	configuration := campus.NewConfiguration()
	configuration.Servers = campus.ServerConfigurations{{URL: base}}
	client := campus.NewAPIClient(configuration)
	login, _, err := client.AuthenticationAPI.Login(context.Background()).LoginRequest(*pair).Execute()
	check(err)
	ctx := context.WithValue(context.Background(), campus.ContextAccessToken, login.Data.Token)
	terms, _, err := client.AcademicAffairsAPI.ListTerms(ctx).Execute()
	check(err)
	term := ""
	for _, each := range terms.Data {
		if each.IsCurrent {
			term = each.TermCode
		}
	}
	asked, _, err := client.AcademicAffairsAPI.ListTermScores(ctx, term).CacheControl("max-age=0").Execute()
	check(err)
	kept, answer, err := client.AcademicAffairsAPI.ListTermScores(ctx, term).XCopy("only").Execute()
	check(err)
	if asked.Data.TotalCount != kept.Data.TotalCount {
		panic("the copy says something else")
	}
	age, err := strconv.Atoi(answer.Header.Get("Age"))
	check(err)
	fmt.Println("age", age >= 0)
	wrong := context.WithValue(context.Background(), campus.ContextAccessToken, "wrong")
	_, answer, err = client.AcademicAffairsAPI.GetAcademicInfo(wrong).Execute()
	var failure *campus.GenericOpenAPIError
	if errors.As(err, &failure) {
		fmt.Println("failure", answer.StatusCode, failure.Model().(campus.FailureEnvelope).Error.Code)
	}
}
