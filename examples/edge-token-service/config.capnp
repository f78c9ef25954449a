using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "grants", disk = (path = "grants", writable = true)),
  ],
  sockets = [
    (name = "http", address = "127.0.0.1:8787", http = (), service = "main"),
    (name = "approvals", address = "127.0.0.1:8788", http = (), service = (name = "main", entrypoint = "approvals")),
  ],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "dist/worker.js")],
  compatibilityDate = "2024-04-03",
  durableObjectNamespaces = [(className = "GrantObject", uniqueKey = "latchkey-grants", enableSql = true)],
  durableObjectStorage = (localDisk = "grants"),
  bindings = [
    (name = "GRANTS", durableObjectNamespace = "GrantObject"),
    (name = "ISSUER", fromEnvironment = "ISSUER"),
    (name = "AUDIENCE", fromEnvironment = "AUDIENCE"),
    (name = "SECRET", fromEnvironment = "SECRET"),
    (name = "SIGNING_KEYS", fromEnvironment = "SIGNING_KEYS"),
    (name = "CLIENTS", fromEnvironment = "CLIENTS"),
  ],
);
