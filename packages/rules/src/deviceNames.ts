/** Device description from a User-Agent, enough for users to recognize their own. */
export interface DeviceName {
  /** Product name, the same in every language; null if unknown. */
  browser: string | null;
  system: string | null;
  kind: 'phone' | 'tablet' | 'computer' | 'other';
}

/** Order matters, because most browsers also name related ones. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\/\d/, 'Edge'],
  [/\b(?:OPR|OPT|Opera)\/\d/, 'Opera'],
  [/\bSamsungBrowser\/\d/, 'Samsung Internet'],
  [/\bVivaldi\/\d/, 'Vivaldi'],
  [/\bYaBrowser\/\d/, 'Yandex'],
  [/\bDuckDuckGo\/\d/, 'DuckDuckGo'],
  [/\b(?:Firefox|FxiOS)\/\d/, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|Chromium|CriOS)\/\d/, 'Chrome'],
  [/\bVersion\/\d.*\bSafari\/\d/, 'Safari'],
  [/^curl\/\d/, 'curl'],
  [/^(?:node|undici)\b/i, 'Node.js'],
  [/^python-requests\/|^Python\//, 'Python'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPad\b/, 'iPadOS'],
  [/\b(?:iPhone|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

function firstMatch(userAgent: string, table: readonly (readonly [RegExp, string])[]): string | null {
  return table.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
}

function kindOf(userAgent: string, system: string | null): DeviceName['kind'] {
  if (system === 'iPadOS') return 'tablet';
  if (system === 'iOS') return 'phone';
  if (system === 'Android') return /\bMobile\b/.test(userAgent) ? 'phone' : 'tablet';
  return system === null ? 'other' : 'computer';
}

/** Characters of a User-Agent within which browsers state their name. */
const readLength = 512;

/** Extracts browser and system from a User-Agent header. */
export function parseDeviceName(header: string): DeviceName {
  // Cuts: only searched, and never shown.
  const userAgent = header.slice(0, readLength);
  const system = firstMatch(userAgent, systems);
  return { browser: firstMatch(userAgent, browsers), system, kind: kindOf(userAgent, system) };
}
