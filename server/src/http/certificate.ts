import { readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Log } from '../lib/log.ts';

export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

export interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/** Both files, checked to belong together, so that a wrong pair is refused by name and not at the first handshake. */
export function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  try {
    const certificate = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    createSecureContext(certificate);
    return certificate;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`TLS_CERT_FILE ${certFile} with TLS_KEY_FILE ${keyFile} cannot be used: ${reason}`, {
      cause: error,
    });
  }
}

const CHECK_EVERY_MS = 60_000;

/**
 * Takes a renewed certificate into use without a restart: when the files change (looked at every minute, since tools
 * that swap links escape a file watch) and on SIGHUP. A renewal that cannot be read leaves the old one in use.
 */
export function renewCertificate(
  server: Server,
  files: CertificateFiles,
  log: Log,
): { reload(): void } & Disposable {
  let seen = changeTimes(files);
  const reload = (): void => {
    try {
      server.setSecureContext(readCertificate(files));
      log.info('the TLS certificate was read again');
    } catch (error) {
      log.error({ err: error }, 'the TLS certificate could not be read again; the old one stays in use');
    }
  };
  const check = (): void => {
    const now = changeTimes(files);
    if (now !== seen) reload();
    seen = now;
  };
  const timer = setInterval(check, CHECK_EVERY_MS).unref();
  process.on('SIGHUP', reload);
  return {
    reload,
    [Symbol.dispose](): void {
      clearInterval(timer);
      process.off('SIGHUP', reload);
    },
  };
}

const changeTimes = ({ certFile, keyFile }: CertificateFiles): string =>
  [certFile, keyFile].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join();
