using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    # "private" as well, so that a Latchkey on this machine or in this network can be asked for its keys.
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "dist/worker.js")],
  compatibilityDate = "2026-06-01",
  bindings = [
    (name = "ISSUER", fromEnvironment = "ISSUER"),
    (name = "AUDIENCE", fromEnvironment = "AUDIENCE"),
    (name = "JWKS_URL", fromEnvironment = "JWKS_URL"),
  ],
);
