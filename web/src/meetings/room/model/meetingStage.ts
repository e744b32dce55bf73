import { limits, meetingGrid } from '@nolo/rules';
import { trackKey, type RoomState } from './meetingRoom.ts';

/** How the stage is divided: who is shown, how large, and on which page. */

export type Layout = 'grid' | 'speaker';

export interface Tile {
  /** The trackKey of its video. */
  key: string;
  participantId: string;
  source: 'camera' | 'screen';
  isSelf: boolean;
}

export interface StageView {
  layout: Layout;
  /** The tile that stays large, by key. */
  pinned: string | null;
  page: number;
  /** Phones: oneself floats above the others. */
  floatSelf: boolean;
  /** Higher than wide. */
  portrait: boolean;
}

export interface Stage {
  /** Large tiles: shared screens, what is pinned, or the speaker. */
  main: Tile[];
  /** A strip beside the large ones, or the grid where there are none. */
  others: Tile[];
  /** Oneself, where that floats. */
  floating: Tile | null;
  /** Of `others`, where they form the grid. */
  columns: number;
  rows: number;
  page: number;
  pages: number;
}

/** So many stand beside something large. */
export const stripTiles = 6;

type Room = Pick<RoomState, 'selfId' | 'participants' | 'order' | 'tracks' | 'lastSpeaker'>;

function tile(room: Room, participantId: string, source: Tile['source']): Tile {
  return { key: trackKey(participantId, source), participantId, source, isSelf: participantId === room.selfId };
}

/** Whoever is to be large in the speaker layout: the last speaker, else the first of the others. */
function speakerOf(room: Room): string | undefined {
  const { lastSpeaker, order, selfId } = room;
  if (lastSpeaker !== null && room.participants[lastSpeaker]) return lastSpeaker;
  return order.find((id) => id !== selfId) ?? order[0];
}

export function arrangeStage(room: Room, view: StageView): Stage {
  const everyone = room.order.map((id) => tile(room, id, 'camera'));
  const screens = room.order
    .filter((id) => room.tracks[trackKey(id, 'screen')] !== undefined)
    // One's own screen inside of itself is a hall of mirrors; where nothing else is shared a note stands there instead.
    .map((id) => tile(room, id, 'screen'));
  const floating = view.floatSelf && everyone.length > 1 ? (everyone.find(({ isSelf }) => isSelf) ?? null) : null;
  const people = everyone.filter((one) => one !== floating);

  const pinned = [...screens, ...people].find(({ key }) => key === view.pinned);
  let main = pinned ? [pinned] : screens.slice(0, 1);
  if (main.length === 0 && view.layout === 'speaker' && people.length > 1) {
    const speaker = people.find(({ participantId }) => participantId === speakerOf(room));
    main = speaker ? [speaker] : [];
  }
  const rest = [...screens, ...people].filter((one) => !main.includes(one));
  const perPage = main.length > 0 ? stripTiles : limits.visibleTiles;
  const pages = Math.max(1, Math.ceil(rest.length / perPage));
  const page = Math.min(Math.max(0, view.page), pages - 1);
  const others = rest.slice(page * perPage, (page + 1) * perPage);
  const count = pages > 1 ? perPage : others.length;
  const largest = meetingGrid(count);
  // A row that nobody stands in is left to the others (ADR 35).
  const grid = { ...largest, rows: Math.max(1, Math.min(largest.rows, Math.ceil(count / largest.columns))) };
  // Two stand beside each other where the stage is wider than high, and one above the other where it is not.
  const [less, more] = [Math.min(grid.columns, grid.rows), Math.max(grid.columns, grid.rows)];
  const { columns, rows } = view.portrait ? { columns: less, rows: more } : { columns: more, rows: less };
  return { main, others, floating, columns, rows, page, pages };
}
