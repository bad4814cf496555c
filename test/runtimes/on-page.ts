import { coreDigestOfPlans } from './core-digest.ts';

// Entry for a browser page: the result becomes the page's text. The one DOM call is declared here, so that the tests
// need no DOM types.
declare const document: { querySelector(selector: string): { textContent: string } | null };

const result = await coreDigestOfPlans();
const output = document.querySelector('output');
if (output) output.textContent = JSON.stringify(result);
