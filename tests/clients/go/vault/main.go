// Signs a person in with HashiCorp's cap, as Vault and Boundary do: it takes RS256 alone unless told otherwise.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/url"
	"os"
	"time"

	"github.com/hashicorp/cap/oidc"
)

func main() {
	issuer, clientID, secret, redirectURL := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	config, err := oidc.NewConfig(issuer, clientID, oidc.ClientSecret(secret), []oidc.Alg{oidc.RS256}, []string{redirectURL})
	stopAt(err)
	provider, err := oidc.NewProvider(config)
	stopAt(err)
	defer provider.Done()
	verifier, err := oidc.NewCodeVerifier()
	stopAt(err)
	request, err := oidc.NewRequest(time.Minute, redirectURL, oidc.WithPKCE(verifier), oidc.WithScopes("profile", "email"))
	stopAt(err)
	address, err := provider.AuthURL(ctx, request)
	stopAt(err)
	fmt.Println(address)
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	stopAt(err)
	cameBackTo, err := url.Parse(line[:len(line)-1])
	stopAt(err)
	query := cameBackTo.Query()
	tokens, err := provider.Exchange(ctx, request, query.Get("state"), query.Get("code"))
	stopAt(err)
	var claims, user map[string]any
	stopAt(tokens.IDToken().Claims(&claims))
	subject, _ := claims["sub"].(string)
	stopAt(provider.UserInfo(ctx, tokens.StaticTokenSource(), subject, &user))
	stopAt(json.NewEncoder(os.Stdout).Encode(map[string]any{"email": claims["email"], "seen": user["email"]}))
}

func stopAt(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
