// biome-ignore lint/performance/noBarrelFile: the part of the core that a plan needs at once; its schemas, which are larger, come later
export { CoreError, estimate, estimateNodes, partOf } from '../../core-wasm/core.ts';
