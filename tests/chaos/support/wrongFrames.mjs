// Preload for a gateway (`node --import`), with the kind of error after a question mark: one call of JSON.stringify
// creates a frame for all sockets of the gateway.
const what = new URL(import.meta.url).search.slice(1);
const wrongs = {
  // Changes every fiftieth message.
  seq: (data) => (Math.random() < 0.02 ? { ...data, seq: data.seq + 1 } : data),
  // Moves every hundredth message to the conversation of the frame before it.
  conversation: (data) => {
    const { conversationId } = data;
    const other = before;
    before = conversationId;
    return other !== undefined && Math.random() < 0.01 ? { ...data, conversationId: other } : data;
  },
};
let before;
const { stringify } = JSON;

JSON.stringify = (value, ...rest) =>
  value?.type === 'new_message' && value.data?.seq !== undefined
    ? stringify({ ...value, data: wrongs[what](value.data) }, ...rest)
    : stringify(value, ...rest);
