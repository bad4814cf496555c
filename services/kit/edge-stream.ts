const EVERY_MS = 4_000;

/**
 * An event stream that ends soon after `holds` says no: whoever signed out hears nothing more. Any other answer stays as it is.
 * @param holds one that cannot be found out counts as no; who may, comes again after the last event seen
 */
export function endingStream(
  response: Response,
  holds: () => Promise<boolean>,
  everyMs = EVERY_MS,
): Response {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream || response.body === null) return response;
  const reader = response.body.getReader();
  let looking: Timer | undefined;
  const look = async () => {
    if (await holds().catch(() => false)) return;
    clearInterval(looking);
    await reader.cancel();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Not before somebody reads: what is never read, as the answer of a HEAD, is never cancelled either.
        looking ??= setInterval(look, everyMs).unref();
        const { done, value } = await reader.read().catch((error: unknown) => {
          clearInterval(looking);
          throw error;
        });
        if (!done) return controller.enqueue(value);
        clearInterval(looking);
        controller.close();
      },
      cancel(reason) {
        clearInterval(looking);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}
