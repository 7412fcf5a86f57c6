import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { SETTINGS } from '../../src/app/config.ts';
import { type Manifest, renderChart, renderTemplate } from './render-chart.ts';

const checkout = join(import.meta.dirname, '../../..');
const folder = join(checkout, 'deploy/helm/longwave');
const secrets = { DATABASE_URL: 'postgres://db/longwave', MEMBER_KEY: 'k'.repeat(43) };
const chart = (values: Record<string, unknown> = {}): Manifest[] =>
  renderChart(folder, { secrets, ...values });

const API: Record<string, string> = {
  ConfigMap: 'v1',
  Secret: 'v1',
  Service: 'v1',
  Job: 'batch/v1',
  Deployment: 'apps/v1',
  PodDisruptionBudget: 'policy/v1',
  Ingress: 'networking.k8s.io/v1',
};

function only(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.filter((each) => each.kind === kind && each.metadata.name === name);
  assert.equal(found.length, 1, `${kind} ${name}`);
  return found[0] ?? assert.fail();
}

test('the renderer reads what Helm reads', () => {
  const scope = { Values: { on: true, empty: {}, list: { b: 2, a: 'x' }, deep: { x: [1] } } };
  const render = (text: string): string => renderTemplate(text, scope);
  assert.equal(render('a: {{ .Values.on }}'), 'a: true');
  assert.equal(render('a\n{{- if .Values.empty }}\nb\n{{- else }}\nc\n{{- end }}\nd'), 'a\nc\nd');
  assert.equal(
    render('{{- range $k, $v := .Values.list }}\n{{ $k }}: {{ $v | quote }}\n{{- end }}'),
    '\na: "x"\nb: "2"',
  );
  assert.equal(render('l:\n  {{- toYaml .Values.deep | nindent 2 }}'), 'l:\n  x:\n    - 1');
  assert.throws(() => render('{{ lookup "v1" }}'), /no function lookup/);
  assert.throws(() => render('{{ if .Values.on }}'), /has no end/);
});

test('every manifest has its kind, its name and its labels, once', () => {
  const manifests = chart({ ingress: { enabled: true } });
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  assert.deepEqual(names, [...new Set(names)]);
  assert.deepEqual(names.toSorted(), [
    'ConfigMap radio-settings',
    'Deployment radio-server',
    'Deployment radio-worker',
    'Ingress radio',
    'Job radio-migrate',
    'PodDisruptionBudget radio-server',
    'Secret radio-migrate',
    'Secret radio-secrets',
    'Service radio',
  ]);
  for (const { apiVersion, kind, metadata } of manifests) {
    assert.equal(apiVersion, API[kind]);
    assert.equal(metadata.labels['app.kubernetes.io/instance'], 'radio');
  }
});

test('pods are not root, write nothing but /tmp, and have limits', () => {
  const pods = chart().filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  assert.equal(pods.length, 3);
  for (const { spec } of pods) {
    const pod = spec.template.spec;
    assert.equal(pod.securityContext.runAsNonRoot, true);
    assert.equal(pod.securityContext.runAsUser, 10_001);
    assert.equal(pod.automountServiceAccountToken, false);
    const [container] = pod.containers;
    assert.match(container.image, /^longwave:\d/);
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.ok(container.resources.limits.memory);
    assert.deepEqual(container.volumeMounts, [{ name: 'tmp', mountPath: '/tmp' }]);
    assert.deepEqual(pod.volumes, [{ name: 'tmp', emptyDir: {} }]);
  }
});

test('what one manifest names, another has', () => {
  const manifests = chart({ ingress: { enabled: true, tlsSecret: 'tls' } });
  for (const name of ['radio-server', 'radio-worker']) {
    const { spec } = only(manifests, 'Deployment', name);
    const labels = spec.template.metadata.labels;
    for (const [key, value] of Object.entries(spec.selector.matchLabels)) assert.equal(labels[key], value);
    const [container] = spec.template.spec.containers;
    for (const from of container.envFrom)
      only(manifests, from.secretRef ? 'Secret' : 'ConfigMap', (from.secretRef ?? from.configMapRef).name);
    const ports = container.ports.map((port: { name: string }) => port.name);
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      assert.ok(ports.includes(container[probe].httpGet.port), probe);
  }
  const server = only(manifests, 'Deployment', 'radio-server').spec;
  const service = only(manifests, 'Service', 'radio').spec;
  const pod = server.template.metadata.labels;
  for (const selector of [
    service.selector,
    only(manifests, 'PodDisruptionBudget', 'radio-server').spec.selector.matchLabels,
  ])
    assert.deepEqual({ ...pod, ...selector }, pod);
  const port = server.template.spec.containers[0].ports.find(
    ({ name }: { name: string }) => name === service.ports[0].targetPort,
  );
  assert.equal(port.containerPort, SETTINGS.httpPort.unset);
  const ingress = only(manifests, 'Ingress', 'radio').spec;
  for (const { http } of ingress.rules)
    assert.deepEqual(http.paths[0].backend.service, { name: 'radio', port: { name: service.ports[0].name } });
  assert.deepEqual(ingress.tls, [{ hosts: ['radio.example'], secretName: 'tls' }]);
});

test('two servers are replaced one by one, after the schema, and have the time to stop', () => {
  const manifests = chart();
  const { spec } = only(manifests, 'Deployment', 'radio-server');
  assert.equal(spec.replicas, 2);
  assert.deepEqual(spec.strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 });
  const [container] = spec.template.spec.containers;
  const grace = container.env.find(({ name }: { name: string }) => name === 'SHUTDOWN_GRACE_SECONDS').value;
  // A process exits 25 seconds after its grace at the latest.
  assert.ok(spec.template.spec.terminationGracePeriodSeconds > Number(grace) + 25);
  const job = only(manifests, 'Job', 'radio-migrate');
  assert.equal(job.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade');
  const secret = only(
    manifests,
    'Secret',
    job.spec.template.spec.containers[0].env[0].valueFrom.secretKeyRef.name,
  );
  assert.ok(
    Number(secret.metadata.annotations?.['helm.sh/hook-weight']) <
      Number(job.metadata.annotations?.['helm.sh/hook-weight']),
  );
  assert.equal(secret['stringData'].DATABASE_URL, secrets.DATABASE_URL);
});

test('an existing secret takes the place of the two of the chart', () => {
  const manifests = chart({ secrets: {}, existingSecret: 'mine' });
  assert.deepEqual(
    manifests.filter(({ kind }) => kind === 'Secret'),
    [],
  );
  const named = manifests
    .flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
    .map((container) =>
      container.envFrom ? container.envFrom[1].secretRef.name : container.env[0].valueFrom.secretKeyRef.name,
    );
  assert.deepEqual(named, ['mine', 'mine', 'mine']);
});

const checksums = (level: string): unknown =>
  only(chart({ settings: { LOG_LEVEL: level } }), 'Deployment', 'radio-server').spec.template.metadata
    .annotations;

test('what is missing is asked for, and changed settings replace the pods', () => {
  assert.throws(() => renderChart(folder, {}), /set secrets\.DATABASE_URL, or existingSecret/);
  assert.notDeepEqual(checksums('info'), checksums('debug'));
});

test('every secret that is given arrives, by its own name, and none that is empty', () => {
  const more = {
    MEMBER_KEY_OLD: 'o'.repeat(43),
    EDGE_KEY: 'e'.repeat(43),
    DATABASE_READ_URL: 'postgres://copy/longwave',
  };
  const { stringData } = only(
    chart({ secrets: { ...secrets, ...more, REDIS_URL: '' } }),
    'Secret',
    'radio-secrets',
  );
  assert.deepEqual(stringData, { ...secrets, ...more });
  assert.throws(
    () => renderChart(folder, { secrets: { ...more, ...secrets, MEMBER_KEY: '' } }),
    /set secrets\.MEMBER_KEY/,
  );
  const known = new Set(Object.values(SETTINGS).map(({ name }) => name));
  const named =
    readFileSync(join(folder, 'values.yaml'), 'utf8')
      .match(/^ {2}# .*_.*$/gm)
      ?.join(' ') ?? '';
  for (const name of named.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []) assert.ok(known.has(name), name);
});

test('the ingress answers every name and redirects no radio, and its settings exist', () => {
  const { metadata, spec } = only(chart({ ingress: { enabled: true } }), 'Ingress', 'radio');
  const hosts: unknown[] = spec.rules.map(({ host }: { host?: string }) => host);
  assert.deepEqual(hosts, ['radio.example', undefined], 'of a radio, which asks for opml.radiotime.com, too');
  assert.deepEqual(
    spec.rules.map(({ http }: { http: { paths: { path: string; pathType: string }[] } }) =>
      http.paths.map(({ path, pathType }) => [path, pathType]),
    ),
    [[['/', 'Prefix']], [['/', 'Prefix']]],
  );
  assert.equal(metadata.annotations?.['nginx.ingress.kubernetes.io/ssl-redirect'], 'false');
  const names = new Set(Object.values(SETTINGS).map(({ name }) => name));
  const values = parse(readFileSync(join(folder, 'values.yaml'), 'utf8'));
  for (const name of Object.keys(values.settings)) assert.ok(names.has(name), name);
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  assert.equal(parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')).appVersion, version);
});
