import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Config } from '../../config.ts';
import { readCertificate } from '../../http/certificate.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Finding, broken, note, warning, well } from './finding.ts';
import { spellSeconds } from './spell.ts';

const NAME = 'certificate';
/** A renewal that failed twice is noticed while there is time. */
const SOON_SECONDS = 14 * 86_400;
const RENEW =
  'renew it and put it in the place of TLS_CERT_FILE; a server that runs takes it within a minute';

/** Whether browsers and radios will take the certificate today, and for how long. */
export function linesOfCertificate(config: Config, clock: Clock): Finding[] {
  const { httpsPort, tlsCertFile: certFile, tlsKeyFile: keyFile } = config;
  if (httpsPort === undefined || certFile === undefined || keyFile === undefined) return [noHttps(config)];
  try {
    const certificate = new X509Certificate(readCertificate({ certFile, keyFile }).cert);
    return [validity(certificate, clock.now()), ...namesMissing(certificate, config)];
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return [
      broken(NAME, text, 'correct TLS_CERT_FILE and TLS_KEY_FILE: a certificate and its own key, as PEM'),
    ];
  }
}

const noHttps = ({ trustedProxies }: Config): Finding =>
  trustedProxies.length > 0
    ? note(NAME, 'none here: a proxy of TRUSTED_PROXIES does TLS')
    : note(
        NAME,
        'none: plain HTTP alone, over which no password is taken',
        'for HTTPS set HTTPS_PORT, TLS_CERT_FILE and TLS_KEY_FILE, or put a proxy before it (TRUSTED_PROXIES)',
      );

function validity({ validFromDate, validToDate }: X509Certificate, now: Temporal.Instant): Finding {
  const nowMs = now.epochMilliseconds;
  const leftSeconds = (validToDate.getTime() - nowMs) / 1000;
  const day = validToDate.toISOString().slice(0, 10);
  if (leftSeconds <= 0) return broken(NAME, `expired ${spellSeconds(-leftSeconds)} ago, on ${day}`, RENEW);
  if (validFromDate.getTime() > nowMs)
    return broken(
      NAME,
      `not valid before ${validFromDate.toISOString()}`,
      'set the clock of this machine, or wait',
    );
  const text = `valid for ${spellSeconds(leftSeconds)}, until ${day}`;
  return leftSeconds < SOON_SECONDS ? warning(NAME, text, RENEW) : well(NAME, text);
}

function namesMissing(certificate: X509Certificate, { publicHosts, siteHost }: Config): Finding[] {
  const hosts = [...publicHosts, ...(siteHost === undefined ? [] : [siteHost])].map((host) =>
    host.replace(/:\d+$/, ''),
  );
  const missing = [...new Set(hosts)].filter((host) => !isNamed(certificate, host));
  if (missing.length === 0) return [];
  const text = `the certificate does not name ${missing.join(', ')}`;
  return [warning('its names', text, 'have it issued for all of PUBLIC_HOSTS and SITE_HOST')];
}

const isNamed = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) > 0 ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
