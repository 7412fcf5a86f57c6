import { LOG_LEVELS } from '../../lib/log.ts';
import { choiceSetting, integerSetting, urlSetting } from './setting.ts';

/** What the service tells of itself: its log, the last calls of radios, and its traces. */
export const TELEMETRY_SETTINGS = {
  logLevel: choiceSetting({
    name: 'LOG_LEVEL',
    values: LOG_LEVELS,
    unset: 'info',
    description:
      'The minimum level to log. `debug` logs every call; no line ever contains a password, serial or e-mail address.',
  }),
  keepCallsHours: integerSetting({
    name: 'KEEP_CALLS_HOURS',
    min: 0,
    max: 720,
    unset: 72,
    description:
      'How long the last calls of each radio are kept for `longwave radios`, after the last of them. Addresses of the internet are kept without their last part, those at home whole. 0 keeps none.',
  }),
  tracesUrl: urlSetting({
    name: 'TRACES_URL',
    unset: undefined,
    schemes: ['http://', 'https://'],
    secret: true,
    description:
      'Where an OpenTelemetry collector takes traces by OTLP over HTTP as JSON, such as `http://127.0.0.1:4318/v1/traces`: one span a call, with those of its statements, never with a query string. Unset, there are none.',
  }),
  tracesPercent: integerSetting({
    name: 'TRACES_PERCENT',
    min: 0,
    max: 100,
    unset: 1,
    description:
      'How many of a hundred calls are traced. Failed ones, those over a second and those whose `traceparent` says so always are.',
  }),
} as const;
