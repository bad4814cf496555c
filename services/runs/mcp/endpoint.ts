import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  CancelledNotificationSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import * as z from 'zod';
import { Fault } from '../../kit/fault.ts';
import type { Log } from '../../kit/log.ts';
import { faultOf } from '../../kit/problem.ts';
import { faultResult, type IncomingCall, type ToolSet } from './tool-set.ts';

const SERVER = { name: 'control-center', title: 'Control Center', version: '1' };

const CALL = 'tools/call';
/** The server judges calls itself, and says better what is wrong with one, when it is given them as they came. */
const AnyCall = z.looseObject({ method: z.literal(CALL) });

// One a request would be built only to be thrown away: nothing here asks clients for forms.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** @throws Fault invalid_request for a body that is not one message of the protocol */
export function readMessage(body: unknown): JSONRPCMessage {
  if (Array.isArray(body)) {
    throw new Fault('invalid_request', 'Send one JSON-RPC message in each request; batches are not taken.');
  }
  const parsed = JSONRPCMessageSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Fault(
    'invalid_request',
    'The body is not a JSON-RPC 2.0 message: send {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {…}}.',
  );
}

/**
 * Answers one message. Nothing is kept between requests: each has a server and a transport of its own, as the transport
 * wants it. The answer is JSON, or an event stream where a call may wait so long that clients or what is between them would
 * take the connection for dead.
 */
export async function answer(
  request: Request,
  message: JSONRPCMessage,
  toolSet: ToolSet,
  log: Log,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !isLong(message, toolSet),
  });
  const server = serverOf(toolSet, request.signal, log);
  await server.connect(transport);
  const { promise: gone, resolve } = Promise.withResolvers<Response>();
  const leave = () => {
    void server.close();
    // The transport would leave an answer that nobody takes open for ever.
    resolve(new Response(null, { status: 408 }));
  };
  if (request.signal.aborted) leave();
  else request.signal.addEventListener('abort', leave, { once: true });
  return Promise.race([transport.handleRequest(request, { parsedBody: message }), gone]);
}

function isLong(message: JSONRPCMessage, { mayWait }: ToolSet): boolean {
  if (!isJSONRPCRequest(message) || message.method !== CALL) return false;
  return mayWait || message.params?._meta?.progressToken !== undefined;
}

function serverOf(toolSet: ToolSet, gone: AbortSignal, log: Log): Server {
  const { instructions } = toolSet;
  const server = new Server(SERVER, { capabilities: { tools: {} }, instructions, jsonSchemaValidator });
  server.onerror = (error) => log.debug({ err: error }, 'a message of the tool protocol was not answered');
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await toolSet.list() }));
  server.setRequestHandler(AnyCall, async (request, extra) => {
    const { params } = CallToolRequestSchema.parse(request);
    const meta = params._meta ?? {};
    const { requestId } = extra;
    const beat = beating(meta.progressToken, (sent) => extra.sendNotification(sent));
    const call = { name: params.name, input: params.arguments ?? {}, meta, requestId, gone, beat };
    return called(toolSet, call, log);
  });
  // The request that is taken back came with a server of its own, which this one does not know.
  server.setNotificationHandler(CancelledNotificationSchema, ({ params }) => {
    if (params.requestId !== undefined) toolSet.cancel(params.requestId);
  });
  return server;
}

type Notify = (notification: {
  method: 'notifications/progress';
  params: { progressToken: string | number; progress: number; message: string };
}) => Promise<void>;

function beating(progressToken: string | number | undefined, notify: Notify): IncomingCall['beat'] {
  let progress = 0;
  return async (message) => {
    if (progressToken === undefined) return;
    progress += 1;
    await notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
  };
}

async function called(toolSet: ToolSet, call: IncomingCall, log: Log) {
  try {
    return await toolSet.call(call);
  } catch (error) {
    if (error instanceof McpError) throw error;
    return faultResult(faultOf(error, log));
  }
}
