// Components that only this form uses, with their styles: loaded with it, not with the shell.
import '@mantine/core/styles/Switch.layer.css';
import '#web/ui/switch.css';
