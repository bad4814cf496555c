/** What the browser keeps of texts that nobody else has yet, by the beginning of its name, where it is not empty. */
const KEPT: readonly (readonly [name: string, isSome: RegExp])[] = [
  ['control-center.draft.', /./],
  ['control-center.outbox', /\{/],
  ['control-center.agent-drafts', /"form":/],
  ['control-center.plan.', /./],
];

/** Whether the person has written something that stands in this browser alone. */
export function hasUnsent(): boolean {
  return [localStorage, sessionStorage].some((storage) =>
    Object.keys(storage).some((name) =>
      KEPT.some(([start, isSome]) => name.startsWith(start) && isSome.test(storage.getItem(name) ?? '')),
    ),
  );
}
