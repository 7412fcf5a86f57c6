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
 * symlinks escape a file watch) and when it is told to. If the new one is unreadable, the old one stays in use, and it is
 * tried again every minute: what was in the way may go without a change to the files.
 */
export function renewCertificate(
  server: Pick<Server, 'setSecureContext'>,
  files: CertificateFiles,
  log: Log,
  onReload: (certificate: Certificate) => void,
): { reload(): void } & Disposable {
  let seen = changeTimes(files);
  let isRead = true;
  const reload = (isTold = true): void => {
    try {
      const renewed = readCertificate(files);
      server.setSecureContext(renewed);
      onReload(renewed);
      isRead = true;
      log.info('the TLS certificate was reloaded');
    } catch (error) {
      isRead = false;
      if (isTold)
        log.error({ err: error }, 'the TLS certificate could not be reloaded; the old one stays in use');
    }
  };
  const check = (): void => {
    const now = changeTimes(files);
    const isChanged = now !== seen;
    seen = now;
    if (isChanged || !isRead) reload(isChanged);
  };
  const timer = setInterval(check, CHECK_EVERY_MS).unref();
  return { reload: () => reload(), [Symbol.dispose]: () => clearInterval(timer) };
}

const changeTimes = ({ certFile, keyFile }: CertificateFiles): string =>
  [certFile, keyFile].map(changeTime).join();

/** 0 where there is none, and where it cannot be looked at: reading it tells why. */
function changeTime(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
