#!/usr/bin/env node
// The published package holds what was built; a checkout holds the source, which Node runs as it is.
import { existsSync } from 'node:fs';

const source = new URL('../src/conformance/main.ts', import.meta.url);
const built = new URL('../dist/conformance/main.js', import.meta.url);
await import(existsSync(source) ? source.href : built.href);
