// biome-ignore lint/performance/noBarrelFile: of the core alone what judges a proposal, so that it is a part of its own
export { validateProposal } from '../../core-wasm/core.ts';
