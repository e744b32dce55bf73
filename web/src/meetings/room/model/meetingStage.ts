import { limits, computeMeetingGrid } from '@nolo/rules';
import { trackKey, type RoomState } from '@nolo/client/rooms/roomState';

/** Division of the stage: who is shown, at what size, and on which page. */

export type StageLayout = 'grid' | 'speaker';

export interface StageTile {
  key: string;
  participantId: string;
  source: 'camera' | 'screen';
  isSelf: boolean;
}

export interface StageViewOptions {
  layout: StageLayout;
  /** Key of the tile that stays large. */
  pinned: string | null;
  page: number;
  /** True on phones, where the user's own tile floats above the others. */
  floatSelf: boolean;
  /** True if the stage is higher than wide. */
  portrait: boolean;
}

export interface Stage {
  /** Large tiles: a shared screen, the pinned tile, or the speaker. */
  main: StageTile[];
  /** Strip beside the large tiles, or the grid without them. */
  others: StageTile[];
  /** The user's own tile, if it floats. */
  floating: StageTile | null;
  /** Columns of `others` in a grid. */
  columns: number;
  rows: number;
  page: number;
  pages: number;
}

/** Maximum tiles beside a large one. */
const maxStripTiles = 6;

type Room = Pick<RoomState, 'selfId' | 'participants' | 'order' | 'tracks' | 'lastSpeaker'>;

function tile(room: Room, participantId: string, source: StageTile['source']): StageTile {
  return { key: trackKey(participantId, source), participantId, source, isSelf: participantId === room.selfId };
}

/** Returns the large participant in the speaker layout: the last speaker, otherwise the first other participant. */
function speakerOf(room: Room): string | undefined {
  const { lastSpeaker, order, selfId } = room;
  if (lastSpeaker !== null && room.participants[lastSpeaker]) return lastSpeaker;
  return order.find((id) => id !== selfId) ?? order[0];
}

export function arrangeStage(room: Room, view: StageViewOptions): Stage {
  const everyone = room.order.map((id) => tile(room, id, 'camera'));
  const screens = room.order
    .filter((id) => room.tracks[trackKey(id, 'screen')] !== undefined)
    // The user's own screen within itself would repeat endlessly. If nothing else is shared, a notice replaces it.
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
  const perPage = main.length > 0 ? maxStripTiles : limits.visibleTiles;
  const pages = Math.max(1, Math.ceil(rest.length / perPage));
  const page = Math.min(Math.max(0, view.page), pages - 1);
  const others = rest.slice(page * perPage, (page + 1) * perPage);
  const count = pages > 1 ? perPage : others.length;
  const largest = computeMeetingGrid(count);
  // An empty row leaves its space to the others (ADR 35).
  const grid = { ...largest, rows: Math.max(1, Math.min(largest.rows, Math.ceil(count / largest.columns))) };
  // Two tiles are side by side if the stage is wider than high, otherwise stacked.
  const [less, more] = [Math.min(grid.columns, grid.rows), Math.max(grid.columns, grid.rows)];
  const { columns, rows } = view.portrait ? { columns: less, rows: more } : { columns: more, rows: less };
  return { main, others, floating, columns, rows, page, pages };
}
