import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { Fault } from '../kit/fault.ts';
import { type Driver, driverOf } from './doubles/driver.ts';
import { nodeOf, World } from './doubles/world.ts';

setDefaultTimeout(30_000);

let world: World;
let drive: Driver;
beforeEach(async () => {
  world = await World.create({ mode: 'plan', repository: true });
  await world.live();
  drive = driverOf(world);
});
afterEach(() => world.end());

const NODES = [nodeOf('read'), nodeOf('mend', 'read'), nodeOf('check', 'mend')];
const spaceMode = () => world.spaces.spaces.find((space) => space.id === world.spaceId)?.mode;
const spaceChanges = () => world.spaces.modeChanges.filter(({ spaceId }) => spaceId === world.spaceId);
const returned = (id: string) =>
  world.until('the space is returned', async () => (await drive.detail(id)).spaceReturned);

test('a space that is not in plan mode stays as it is, and so does one that a person puts back later', async () => {
  world.spaces.changeMode(world.spaceId, 'orchestrate');
  const first = await drive.plan(NODES);
  await drive.approve(first.id);
  await returned(first.id);
  expect(spaceMode()).toBe('orchestrate');
  world.spaces.changeMode(world.spaceId, 'plan');
  const second = await drive.plan(NODES);
  await drive.approve(second.id);
  await returned(second.id);
  expect(spaceMode()).toBe('chat');
  world.spaces.changeMode(world.spaceId, 'plan');
  await drive.ended(second.id, 'completed');
  await world.drop();
  await world.live();
  expect(spaceMode()).toBe('plan');
});

/** Lets the change of the space's mode go wrong, once, as `how` says. */
function failOnce(how: (change: () => Promise<void>) => Promise<void>): void {
  const change = world.spaces.setSpaceMode.bind(world.spaces);
  world.spaces.setSpaceMode = async (id, input) => {
    world.spaces.setSpaceMode = change;
    await how(() => change(id, input));
  };
}

test('a person’s choice after a change whose answer was lost is not overwritten', async () => {
  const { id } = await drive.plan(NODES);
  failOnce(async (change) => {
    await change();
    world.spaces.changeMode(world.spaceId, 'plan');
    throw new Fault('unavailable', 'The answer was lost.');
  });
  await drive.approve(id);
  await returned(id);
  expect(spaceMode()).toBe('plan');
  await drive.ended(id, 'completed');
});

test('a change that never arrived is made again, also when the space was renamed meanwhile', async () => {
  const { id } = await drive.plan(NODES);
  const space = world.spaces.spaces.find((known) => known.id === world.spaceId)!;
  failOnce(async () => {
    space.version += 1;
    throw new Fault('unavailable', 'The service cannot be reached.');
  });
  await drive.approve(id);
  await returned(id);
  expect(spaceChanges()).toEqual([{ spaceId: world.spaceId, mode: 'chat' }]);
  await drive.ended(id, 'completed');
});

test('a space that cannot be changed does not hold up the work', async () => {
  const { id } = await drive.plan(NODES);
  world.spaces.setSpaceMode = () => Promise.reject(new Fault('forbidden', 'Not for services.'));
  await drive.approve(id);
  await drive.ended(id, 'completed');
  const said = new Set(world.errors.map((error) => (error as { msg: string }).msg));
  expect(said).toEqual(new Set(['the space of an approved plan stays in plan mode']));
  expect((await drive.detail(id)).spaceReturned).toBe(false);
});
