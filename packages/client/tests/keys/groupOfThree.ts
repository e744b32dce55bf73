import { Chat } from './chatting.ts';
import { idOf, World, type TestDevice } from './keyDevices.ts';

/** Sets up a group of Ann, who owns it, Ben, and Cara. Dan has keys too, and can be added. */

export const [ann, ben, cara, dan] = [idOf(1), idOf(2), idOf(3), idOf(4)];
export let world: World;
export let anns: TestDevice;
export let bens: TestDevice;
export let caras: TestDevice;
export let dans: TestDevice;
export let chat: Chat;

/** Makes the group anew before each test of a file. */
export function setUpGroup(): void {
  beforeEach(async () => {
    world = new World();
    anns = await world.ready(ann);
    bens = await world.ready(ben);
    caras = await world.ready(cara);
    dans = await world.ready(dan);
    chat = new Chat(world, idOf(100), 'group', [ann, ben, cara]);
  });
  afterEach(async () => {
    for (const device of world.devices) device.keys.stop();
    await world.idle();
  });
}

export const standing = (device: TestDevice) => device.keys.conversations.standing(chat.facts);
export const linesOn = async (device: TestDevice) =>
  (await standing(device)).lines.map(({ by, change }) => ({ by, change }));
/** Tells a device that lists or epochs may have changed. */
export const look = (device: TestDevice): void =>
  device.keys.conversations.onFrame({ type: 'devices_changed', data: {} });
