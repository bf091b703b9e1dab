/** Thrown when a command cannot do its work; the message is for the person at the terminal. */
export class CommandFailed extends Error {}
