const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

/** What bounds a file in a browser; a page besides in what it may load and do, whatever somebody got into it. */
export function boundsOf(mediaType: string): Record<string, string> {
  return { ...COMMON_HEADERS, ...(mediaType.startsWith('text/html') ? PAGE_HEADERS : {}) };
}
