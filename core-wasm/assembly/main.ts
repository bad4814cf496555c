// The module's exports. Rules of this folder: no managed objects, strings, throw or imports; every value is an index, a
// bit set or a number column in linear memory, and every index read from a column is checked before it is used.

export { estimate } from './estimate';
export { reserve } from './memory';
export { backEdges, plan } from './order';
export { path } from './path';
export { quartiles } from './quartiles';
export { simulate } from './simulate';
export { detail } from './status';
export { surface } from './surface';
export { verdict } from './verdict';

export function abi(): i32 {
  return 1;
}
