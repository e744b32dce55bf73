import { checkRequestBounds } from './requestBounds.ts';

const codeOf = (url: string, headers: Record<string, string | string[]> = {}) => {
  try {
    checkRequestBounds({ url, headers });
    return 'none';
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code}: ${message}`;
  }
};

test.each<[string, Record<string, string | string[]>, string]>([
  [`/?q=${'x'.repeat(12_000)}`, {}, 'none'],
  [`/?q=${'x'.repeat(12_288)}`, {}, 'address_too_long: The request URL is longer than 12288 bytes.'],
  [`/objects/0190a5f4-7d3e-7000-8000-000000000001?download=${encodeURIComponent('漢'.repeat(1_024))}`, {}, 'none'],
  [`/api/callback?code=${'x'.repeat(4_096)}&state=${'x'.repeat(4_096)}`, {}, 'none'],
  ['/', { range: `bytes=${' '.repeat(1_000)}0-` }, 'none'],
  ['/', { range: ' '.repeat(1_025) }, 'header_too_long: The header range is longer than 1024 bytes.'],
  ['/', { cookie: 'x'.repeat(16_000) }, 'none'],
  ['/', { referer: 'x'.repeat(8_192) }, 'none'],
  ['/', { referer: 'x'.repeat(8_193) }, 'header_too_long: The header referer is longer than 8192 bytes.'],
  ['/', { 'set-cookie': ['x'.repeat(5_000), 'x'.repeat(5_000)] }, expect.stringContaining('set-cookie')],
  ['/', { ['x'.repeat(2_000)]: '' }, expect.stringMatching(/^header_too_long: .{1,200}$/)],
])('limits URL and headers: %#', (url, headers, outcome) => {
  expect(codeOf(url, headers)).toEqual(outcome);
});
