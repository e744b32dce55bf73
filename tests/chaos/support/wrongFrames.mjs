// For `node --import` of a gateway, with what it gets wrong behind a question mark: frames are made by one call of
// JSON.stringify, for all sockets of the gateway.
const what = new URL(import.meta.url).search.slice(1);
const wrongs = {
  // Every fiftieth message.
  seq: (data) => (Math.random() < 0.02 ? { ...data, seq: data.seq + 1 } : data),
  // Every hundredth, as one of the conversation that was told of before.
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
