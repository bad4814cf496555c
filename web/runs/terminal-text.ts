/** What a terminal takes as an order and does not show: colours, moves of the cursor, titles, links. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these orders are control characters
const ORDERS = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[()][0-9A-B]|[=>78])/g;

/** Output of a program without the orders to a terminal; what is no whole order stays as it is. */
export function withoutOrders(output: string): string {
  return output.includes('\u001b') ? output.replaceAll(ORDERS, '') : output;
}
