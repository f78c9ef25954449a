"""A server that signs a person in with requests-oauthlib, and keeps every new refresh token.

Arguments: our address, client ID, secret, redirect URI. Prints the authorization address, reads the
address that the browser comes back to, and prints what it got as JSON.
"""

import json
import sys

from requests_oauthlib import OAuth2Session

address, client_id, client_secret, redirect_uri = sys.argv[1:]
tokens = []
session = OAuth2Session(
    client_id,
    redirect_uri=redirect_uri,
    scope=["PROFILE_READ"],
    auto_refresh_url=f"{address}/v2/auth/oauth2/token",
    auto_refresh_kwargs={"client_id": client_id, "client_secret": client_secret},
    token_updater=tokens.append,
)
authorization, _state = session.authorization_url(f"{address}/auth/oauth2/authorize")
print(authorization, flush=True)
returned = sys.stdin.readline().strip()
tokens.append(
    session.fetch_token(
        f"{address}/v2/auth/oauth2/token",
        authorization_response=returned,
        client_secret=client_secret,
    )
)
first = session.get(f"{address}/v2/me").json()
# By its own clock the token is over, so the library refreshes it by itself.
session.token = {**tokens[0], "expires_at": 1}
second = session.get(f"{address}/v2/me").json()
emails = [answer["data"]["email"] for answer in (first, second)]
print(json.dumps({"emails": emails, "refreshTokens": [token["refresh_token"] for token in tokens]}))
