/** Parsed line of a child's output. */
export interface PrintableLine {
  /** Level in pino's numbers: 30 info, 40 warning, 50 error. */
  level: number;
  /** Readable text for a person. */
  readable: string;
  /** Original line, if it was JSON. */
  json: string | undefined;
}

const levelNames: Record<string, number> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
};
const shownBefore = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'service', 'name', 'v']);

/** Converts a JSON log line to "12:00:00.123 warning text key=value"; other lines stay unchanged. */
export function formatLogLine(text: string, service: string): PrintableLine {
  let entry: Record<string, unknown> | undefined;
  if (text.startsWith('{')) {
    try {
      entry = JSON.parse(text) as Record<string, unknown>;
    } catch {
      entry = undefined;
    }
  }
  if (entry === undefined) return { level: 0, readable: text, json: undefined };
  const level = typeof entry['level'] === 'number' ? entry['level'] : (levelNames[String(entry['level'])] ?? 30);
  const fields = [clockTime(entry['time'])];
  if (level >= 40) fields.push(level >= 50 ? 'ERROR' : 'warning');
  if (typeof entry['msg'] === 'string') fields.push(entry['msg']);
  for (const [key, value] of Object.entries(entry)) {
    if (shownBefore.has(key) || value === undefined || value === null) continue;
    fields.push(`${key}=${short(value)}`);
  }
  if (typeof entry['service'] === 'string' && entry['service'] !== service) {
    fields.push(`service=${entry['service']}`);
  }
  return { level, readable: fields.filter((field) => field !== '').join(' '), json: text };
}

function clockTime(time: unknown): string {
  const date = typeof time === 'number' || typeof time === 'string' ? new Date(time) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(11, 23);
}

function short(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    // The message of an error is enough here; its stack is in the file.
    if ('message' in value) return JSON.stringify(value.message);
    const text = JSON.stringify(value);
    return text.length > 200 ? `${text.slice(0, 200)}…` : text;
  }
  return typeof value === 'string' && /\s/.test(value) ? JSON.stringify(value) : String(value);
}
