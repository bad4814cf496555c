/** What a browser says it is, in words that people know; null for what it does not say. */
export interface BrowserName {
  browser: string | null;
  system: string | null;
}

type Names = readonly (readonly [RegExp, string])[];

/** The more particular before what it also claims to be. */
const BROWSERS: Names = [
  [/\bEdgA?(iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?Chrom(e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
];

const SYSTEMS: Names = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** @param userAgent as the header has it; whatever else stands there is kept nowhere */
export function browserNameOf(userAgent: string | null): BrowserName {
  const first = (names: Names) => names.find(([sign]) => sign.test(userAgent ?? ''))?.[1] ?? null;
  return { browser: first(BROWSERS), system: first(SYSTEMS) };
}
