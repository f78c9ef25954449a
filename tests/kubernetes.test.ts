import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { readConfig } from '../src/config.ts';
import { healthPaths } from '../src/web/health.ts';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'deploy/kubernetes/latchkey.yaml'), 'utf8');
const objects: readonly unknown[] = parseAllDocuments(text).map((document) => document.toJS());

const labels = z.record(z.string(), z.string());
const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('http') }) });
const deployment = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    replicas: z.number().min(2),
    selector: z.object({ matchLabels: labels }),
    template: z.object({
      metadata: z.object({ labels }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number().min(15),
        securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.literal(1000) }),
        initContainers: z.tuple([
          z.object({
            command: z.tuple([z.literal('latchkey-server'), z.literal('migrate')]),
            image: z.string(),
          }),
        ]),
        containers: z.tuple([
          z.object({
            image: z.string(),
            ports: z.tuple([
              z.object({ name: z.literal('http'), containerPort: z.number() }),
              z.object({ name: z.literal('metrics'), containerPort: z.number() }),
            ]),
            env: z.array(z.object({ name: z.string(), value: z.string() })),
            startupProbe: probe,
            readinessProbe: probe,
            livenessProbe: probe,
            resources: z.object({ requests: labels, limits: labels }),
            securityContext: z.object({
              allowPrivilegeEscalation: z.literal(false),
              readOnlyRootFilesystem: z.literal(true),
              capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
            }),
          }),
        ]),
      }),
    }),
  }),
});
const ofKind = (kind: string): unknown =>
  objects.find((one) => z.object({ kind: z.literal(kind) }).safeParse(one).success);
const { spec } = deployment.parse(ofKind('Deployment'));
const [container] = spec.template.spec.containers;

test('the manifests have a hardened deployment, a budget for disruptions, a service and an ingress', () => {
  const kinds = objects.map((one) => z.object({ apiVersion: z.string(), kind: z.string() }).parse(one).kind);

  expect(kinds).toEqual(['Deployment', 'PodDisruptionBudget', 'Service', 'Ingress']);
});

test('its probes ask what the service answers, readiness for the database and liveness without it (contract §7)', () => {
  const paths = [container.startupProbe, container.readinessProbe, container.livenessProbe].map(
    ({ httpGet }) => httpGet.path,
  );

  expect(paths).toEqual(['/readyz', '/readyz', '/healthz']);
  expect(paths.filter((path) => !healthPaths.includes(path))).toEqual([]);
});

test('its settings, with those of the secret, are a valid configuration with the port that it exposes (contract §1)', () => {
  const given = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  const named = [...text.matchAll(/--from-literal=(\w+)=/g)].map(([, name]) => name);

  const config = readConfig({
    ...given,
    SECRET: 'long enough to be a secret as well',
    DATABASE_URL: 'postgres://db/latchkey',
  });

  const source = readFileSync(join(root, 'src/config.ts'), 'utf8');
  expect(named).toEqual(['SECRET', 'DATABASE_URL']);
  expect(Object.keys(given).filter((name) => !source.includes(`env.${name}`))).toEqual([]);
  expect(config.appUrl).toBe(given['APP_URL']);
  expect(container.ports[0].containerPort).toBe(config.port);
});

test('no probe ends a migration: a container before the service runs it, from the same image', () => {
  expect(spec.template.spec.initContainers[0].image).toBe(container.image);
});

test('all objects select the pods of the deployment, and lead to its port', () => {
  const service = z
    .object({ spec: z.object({ selector: labels, ports: z.array(z.object({ targetPort: z.string() })) }) })
    .parse(ofKind('Service'));
  const budget = z
    .object({ spec: z.object({ minAvailable: z.number(), selector: z.object({ matchLabels: labels }) }) })
    .parse(ofKind('PodDisruptionBudget'));
  const pods = spec.template.metadata.labels;

  expect([spec.selector.matchLabels, service.spec.selector, budget.spec.selector.matchLabels]).toEqual([
    pods,
    pods,
    pods,
  ]);
  expect(service.spec.ports).toEqual([expect.objectContaining({ targetPort: container.ports[0].name })]);
  expect(budget.spec.minAvailable).toBeLessThan(spec.replicas);
});
