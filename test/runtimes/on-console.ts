import { coreDigestOfPlans } from './core-digest.ts';

// Entry for Bun and Deno: the result is the only line of output.
console.log(JSON.stringify(await coreDigestOfPlans()));
