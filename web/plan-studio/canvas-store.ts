import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CanvasModel } from './canvas-model.ts';
import { connectProblem, type Refusal, refusedTargets } from './cycle.ts';
import type { Point } from './layout/layout.ts';
import type { Onlooker } from './plan-view.ts';
import { reach } from './reach.ts';

/** A dependency being drawn. */
export interface Connection {
  from: string;
  refused: ReadonlySet<string>;
  /** The node under the pointer, and why it cannot be the end. */
  over: string | null;
  refusal: Refusal | null;
  /** The pointer in the plan and in the canvas. */
  at: Point;
  screen: Point;
}

interface Trace {
  key: string;
  up: ReadonlySet<string>;
  down: ReadonlySet<string>;
}

export interface CanvasState {
  model: CanvasModel;
  selectedKey: string | null;
  /** The one node that Tab leads to. */
  stopKey: string | null;
  /** Takes the focus as soon as it is on the screen. */
  wantedKey: string | null;
  trace: Trace | null;
  /** What a search has found. */
  found: ReadonlySet<string> | null;
  chosenKeys: ReadonlySet<string> | null;
  /** Who else looks at which node. */
  onlookers: ReadonlyMap<string, readonly Onlooker[]> | null;
  isEditable: boolean;
  connection: Connection | null;
  /** Id of the dependency that is selected. */
  edge: string | null;
}

/**
 * What changes at every move of the pointer, apart from the list of nodes: a card reads its own light and draws itself again
 * when that changed, and no list of five hundred nodes is rebuilt.
 */
export type CanvasStore = StoreApi<CanvasState>;

export const createCanvasStore = (model: CanvasModel): CanvasStore =>
  createStore<CanvasState>()(() => ({
    model,
    selectedKey: null,
    stopKey: null,
    wantedKey: null,
    trace: null,
    found: null,
    chosenKeys: null,
    onlookers: null,
    isEditable: false,
    connection: null,
    edge: null,
  }));

/** What a person does on the canvas, for whoever shows it. The object stays the same; what it calls is always the newest. */
export interface CanvasActions {
  select(key: string | null): void;
  open(key: string): void;
  connect(from: string, to: string): void;
  disconnect(from: string, to: string): void;
  remove(key: string): void;
  /** A pointer went down on a node's handle. */
  draw(event: PointerEvent, from: string): void;
}

export const CanvasContext = createContext<{ store: CanvasStore; actions: CanvasActions } | null>(null);

function useCanvasContext() {
  const context = useContext(CanvasContext);
  if (!context) throw new Error('a part of the plan canvas stands outside of it');
  return context;
}

export const useCanvasStore = (): CanvasStore => useCanvasContext().store;
export const useCanvasActions = (): CanvasActions => useCanvasContext().actions;
export const useCanvas = <T>(select: (state: CanvasState) => T): T => useStore(useCanvasStore(), select);

/** Lights what a node depends on and what depends on it; null puts the light out. */
export function traceNode(store: CanvasStore, key: string | null): void {
  const { model, trace } = store.getState();
  if (key === (trace?.key ?? null)) return;
  const isKnown = key !== null && model.graph.hasNode(key);
  store.setState({
    trace: isKnown ? { key, up: reach(model.graph, key, 'up'), down: reach(model.graph, key, 'down') } : null,
  });
}

export function beginConnection(store: CanvasStore, from: string, at: Point, screen: Point): void {
  const { graph, nodes } = store.getState().model;
  const refused = refusedTargets(graph, nodes, from);
  store.setState({
    trace: null,
    edge: null,
    connection: { from, refused, over: null, refusal: null, at, screen },
  });
}

export function moveConnection(store: CanvasStore, over: string | null, at: Point, screen: Point): void {
  const { connection, model } = store.getState();
  if (!connection) return;
  const refusal =
    over === connection.over
      ? connection.refusal
      : over && connectProblem(model.graph, model.nodes, connection.from, over);
  store.setState({ connection: { ...connection, over, refusal: refusal || null, at, screen } });
}

/** How a node is lit: what it is to the trace, the search, the part being chosen or the dependency being drawn. */
export type Light = 'self' | 'up' | 'down' | 'target' | 'refused' | 'cycle' | 'off' | null;

export function lightOf(state: CanvasState, key: string): Light {
  const { connection, trace, found, chosenKeys, model } = state;
  if (connection) return connectionLight(connection, key);
  if (trace) return traceLight(trace, key);
  if (found) return found.has(key) ? 'self' : 'off';
  // Structure is in every part.
  const isLeftOut = chosenKeys && !chosenKeys.has(key) && model.nodes.get(key)?.kind === 'ticket';
  return isLeftOut ? 'off' : null;
}

function connectionLight({ from, over, refusal, refused }: Connection, key: string): Light {
  if (key === over && key !== from) return refusal ? 'refused' : 'target';
  if (key === from) return 'self';
  if (refusal?.reason === 'cycle' && refusal.path.includes(key)) return 'cycle';
  return refused.has(key) ? 'off' : null;
}

function traceLight({ key: traced, up, down }: Trace, key: string): Light {
  if (key === traced) return 'self';
  if (up.has(key)) return 'up';
  return down.has(key) ? 'down' : 'off';
}
