// Signs a person in with go-oidc: what an app gets that knows the issuer alone.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	issuer, clientID, secret, redirectURL, code := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, issuer)
	stopAt(err)
	config := oauth2.Config{ClientID: clientID, ClientSecret: secret, Endpoint: provider.Endpoint(), RedirectURL: redirectURL}
	tokens, err := config.Exchange(ctx, code)
	stopAt(err)
	raw, _ := tokens.Extra("id_token").(string)
	verifier := provider.Verifier(&oidc.Config{ClientID: clientID})
	idToken, err := verifier.Verify(ctx, raw)
	stopAt(err)
	stopAt(idToken.VerifyAccessToken(tokens.AccessToken))
	user, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(tokens))
	stopAt(err)
	stopAt(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"nonce": idToken.Nonce, "same": idToken.Subject == user.Subject, "email": user.Email, "verified": user.EmailVerified,
	}))
}

func stopAt(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
