import { coreDigestOfPlans } from './core-digest.ts';

// Entry for workerd: the module is compiled while this file loads, the only time when that is allowed.
export default {
  async fetch(): Promise<Response> {
    return Response.json(await coreDigestOfPlans());
  },
};
