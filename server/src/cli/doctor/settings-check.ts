import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { type Config, SETTINGS } from '../../app/config.ts';
import { writeMisspelled } from '../../app/settings/misspelled.ts';
import type { Clock } from '../../lib/clock.ts';
import { readCertificate } from '../../net/http/listen/certificate.ts';
import { broken, type Check, type Finding, note, type CheckContext, warning, well } from './check.ts';
import { formatSeconds } from './format.ts';

export const settingsCheck: Check = {
  title: 'Settings',
  look: async (context) => [
    ...readability(context),
    ...spelling(context),
    links(context),
    ...linesOfCertificate(context.config, context.clock),
  ],
};

function readability({ problems }: CheckContext): Finding[] {
  if (problems.length === 0)
    return [well('readable', `${Object.keys(SETTINGS).length} settings, none malformed`)];
  return problems.map((problem) =>
    broken(
      'readable',
      problem,
      'correct it in the environment (docs/configuration.md); until then no server starts, and it counts as unset below',
    ),
  );
}

const spelling = ({ misspelled }: CheckContext): Finding[] =>
  misspelled.map((each) =>
    warning(
      'names',
      writeMisspelled(each),
      `rename ${each.name} to ${each.meant} in the environment, or remove it`,
    ),
  );

function links({ config: { publicHosts } }: CheckContext): Finding {
  const [first, ...others] = publicHosts;
  if (first === undefined)
    return note(
      'links',
      'they lead to the host in the request, which is only suitable at home',
      'on the internet, set PUBLIC_HOSTS=radio.example.org',
    );
  return well('links', `lead to ${first}${others.length > 0 ? `, or to ${others.join(', ')}` : ''}`);
}

const CERTIFICATE = 'certificate';
/** Early enough to notice a renewal that failed twice. */
const SOON_SECONDS = 14 * 86_400;
const RENEW = 'renew it and replace TLS_CERT_FILE; a running server loads it within a minute';

/** Whether browsers and radios accept the certificate, and for how long. */
export function linesOfCertificate(config: Config, clock: Clock): Finding[] {
  const { httpsPort, tlsCertFile: certFile, tlsKeyFile: keyFile } = config;
  if (httpsPort === undefined || certFile === undefined || keyFile === undefined) return [noHttps(config)];
  try {
    const certificate = new X509Certificate(readCertificate({ certFile, keyFile }).cert);
    return [validity(certificate, clock.now()), ...namesMissing(certificate, config)];
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return [
      broken(CERTIFICATE, text, 'correct TLS_CERT_FILE and TLS_KEY_FILE: a certificate and its key, as PEM'),
    ];
  }
}

const noHttps = ({ trustedProxies }: Config): Finding =>
  trustedProxies.length > 0
    ? note(CERTIFICATE, 'none here: a proxy in TRUSTED_PROXIES handles TLS')
    : note(
        CERTIFICATE,
        'none: only plain HTTP, over which passwords are refused',
        'for HTTPS set HTTPS_PORT, TLS_CERT_FILE and TLS_KEY_FILE, or use a proxy (TRUSTED_PROXIES)',
      );

function validity({ validFromDate, validToDate }: X509Certificate, now: Temporal.Instant): Finding {
  const nowMs = now.epochMilliseconds;
  const leftSeconds = (validToDate.getTime() - nowMs) / 1000;
  const day = validToDate.toISOString().slice(0, 10);
  if (leftSeconds <= 0)
    return broken(CERTIFICATE, `expired ${formatSeconds(-leftSeconds)} ago, on ${day}`, RENEW);
  if (validFromDate.getTime() > nowMs)
    return broken(
      CERTIFICATE,
      `not valid before ${validFromDate.toISOString()}`,
      "correct this machine's clock, or wait",
    );
  const text = `valid for ${formatSeconds(leftSeconds)}, until ${day}`;
  return leftSeconds < SOON_SECONDS ? warning(CERTIFICATE, text, RENEW) : well(CERTIFICATE, text);
}

function namesMissing(certificate: X509Certificate, { publicHosts, siteHost }: Config): Finding[] {
  const hosts = [...publicHosts, ...(siteHost === undefined ? [] : [siteHost])].map((host) =>
    host.replace(/:\d+$/, ''),
  );
  const missing = [...new Set(hosts)].filter((host) => !isNamed(certificate, host));
  if (missing.length === 0) return [];
  const text = `the certificate does not name ${missing.join(', ')}`;
  return [warning('its names', text, 'have it issued for all hosts in PUBLIC_HOSTS and SITE_HOST')];
}

const isNamed = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) > 0 ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;

export const siteCheck: Check = {
  title: 'Site',
  async look({ config: { site, siteHost }, siteFolder }) {
    if (site === 'off') return [note('pages', 'SITE=off: browsers see the same menus as radios')];
    const isBuilt = ['index.html', 'built'].every((file) => existsSync(join(siteFolder, file)));
    if (!isBuilt) return [warning('pages', 'not built: radios work, browsers do not', 'npm run build')];
    return [well('pages', `built, at ${siteHost === undefined ? '' : siteHost}/listen/`)];
  },
};
