import type { Route } from '@nolo/api';
import { routes } from '@nolo/api';
import { ApiError } from '../api/request.ts';
import { createI18n } from './i18n.ts';
import { explainFailure } from './explainFailure.ts';
import { refusalsTexts } from './refusalsTexts.ts';

const i18n = createI18n();

test.each([
  [new ApiError(0, {}, ''), 'Network error. Please try again.'],
  [
    new ApiError(500, { code: 'internal_error', message: 'Oops in shard 7' }, ''),
    'Something went wrong. Please try again.',
  ],
  [new ApiError(502, {}, '<html>'), 'Something went wrong. Please try again.'],
  [new ApiError(503, { code: 'sms_unavailable', message: 'x' }, ''), 'We couldn’t send the code. Please try again.'],
  [new ApiError(429, { code: 'rate_limited', message: 'x' }, ''), 'You’re doing that too often. Please wait a moment.'],
  [
    new ApiError(429, { code: 'new_account_limit', message: 'x', details: { until: '2026-11-27T09:30:00Z' } }, ''),
    expect.stringMatching(/^Your account is new, so lower limits apply until November 27, 2026/),
  ],
  [
    new ApiError(400, { code: 'post_too_long', message: 'x', details: { limit: 280, platform: 'twitter' } }, ''),
    'Message exceeds character limit (280 characters)',
  ],
  [new ApiError(409, { code: 'unheard_of', message: 'The server knows why.' }, ''), 'The server knows why.'],
  [new TypeError('x is not a function'), 'Something went wrong. Please try again.'],
])('the words of %s are %s', (error, words) => {
  expect(explainFailure(i18n, error)).toEqual(words);
});

const all: readonly Route[] = Object.values(routes);
test.each(all.filter(({ path }) => /^\/api\/(social|status-updates)/.test(path)))(
  'every refusal of $path ($method) has words',
  ({ errors = [] }) => {
    expect(errors.filter((code) => !(code in refusalsTexts.english))).toEqual([]);
  },
);
