# Signs a person in with Django and one of its libraries, as each is released, and says who it was.
# It writes where the person is sent, and reads where they come back to.
import json
import sys
from urllib.parse import urlsplit

import django
from django.conf import settings
from django.http import JsonResponse
from django.test import Client
from django.urls import include, path

library, issuer, client_id, secret = sys.argv[1:5]

libraries = {
    "social-auth": {
        "apps": ["social_django"],
        "backend": "social_core.backends.open_id_connect.OpenIdConnectAuth",
        "urls": ("", "social_django.urls"),
        "start": "/login/oidc/",
        "settings": {
            "SOCIAL_AUTH_OIDC_OIDC_ENDPOINT": issuer,
            "SOCIAL_AUTH_OIDC_KEY": client_id,
            "SOCIAL_AUTH_OIDC_SECRET": secret,
        },
    },
    "mozilla-django-oidc": {
        "apps": ["mozilla_django_oidc"],
        "backend": "mozilla_django_oidc.auth.OIDCAuthenticationBackend",
        "urls": ("oidc/", "mozilla_django_oidc.urls"),
        "start": "/oidc/authenticate/",
        "settings": {
            "OIDC_RP_CLIENT_ID": client_id,
            "OIDC_RP_CLIENT_SECRET": secret,
            "OIDC_RP_SIGN_ALGO": "RS256",
            "OIDC_OP_AUTHORIZATION_ENDPOINT": f"{issuer}/auth/oauth2/authorize",
            "OIDC_OP_TOKEN_ENDPOINT": f"{issuer}/v2/auth/oauth2/token",
            "OIDC_OP_USER_ENDPOINT": f"{issuer}/v2/auth/oauth2/userinfo",
            "OIDC_OP_JWKS_ENDPOINT": f"{issuer}/.well-known/jwks.json",
        },
    },
}
chosen = libraries[library]


def who(request):
    return JsonResponse({"email": getattr(request.user, "email", None)})


settings.configure(
    ALLOWED_HOSTS=["*"],
    AUTHENTICATION_BACKENDS=[chosen["backend"]],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    INSTALLED_APPS=[
        *(f"django.contrib.{name}" for name in ("auth", "contenttypes", "sessions")),
        *chosen["apps"],
    ],
    LOGIN_REDIRECT_URL="/who",
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    ROOT_URLCONF=__name__,
    SECRET_KEY="a secret of the app itself, long enough for it",
    **chosen["settings"],
)
django.setup()
prefix, urls = chosen["urls"]
urlpatterns = [path("who", who), path(prefix, include(urls))]

from django.core.management import call_command  # noqa: E402

call_command("migrate", verbosity=0)
browser = Client(SERVER_NAME="localhost")
start = browser.post if library == "social-auth" else browser.get
print(start(chosen["start"])["Location"], flush=True)
back = urlsplit(sys.stdin.readline().strip())
browser.get(f"{back.path}?{back.query}")
print(json.dumps(browser.get("/who").json()), flush=True)
