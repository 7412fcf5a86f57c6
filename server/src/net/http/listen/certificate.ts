import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Log } from '../../../lib/log.ts';

export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

export interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/** When it is no longer valid, in seconds since 1970. */
export const expiryOf = ({ cert }: Certificate): number =>
  Date.parse(new X509Certificate(cert).validTo) / 1000;

/**
 * Reads both files and checks that they belong together, so that a mismatch is reported clearly and not at the first
 * handshake.
 */
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
 * Reloads a renewed certificate without a restart: when the files change (polled every minute, since tools that swap
 * symlinks escape a file watch) and when it is told to. If the new one is unreadable, the old one stays in use.
 */
export function renewCertificate(
  server: Server,
  files: CertificateFiles,
  log: Log,
  onReload: (certificate: Certificate) => void,
): { reload(): void } & Disposable {
  let seen = changeTimes(files);
  const reload = (): void => {
    try {
      const renewed = readCertificate(files);
      server.setSecureContext(renewed);
      onReload(renewed);
      log.info('the TLS certificate was reloaded');
    } catch (error) {
      log.error({ err: error }, 'the TLS certificate could not be reloaded; the old one stays in use');
    }
  };
  const check = (): void => {
    const now = changeTimes(files);
    if (now !== seen) reload();
    seen = now;
  };
  const timer = setInterval(check, CHECK_EVERY_MS).unref();
  return { reload, [Symbol.dispose]: () => clearInterval(timer) };
}

const changeTimes = ({ certFile, keyFile }: CertificateFiles): string =>
  [certFile, keyFile].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join();
