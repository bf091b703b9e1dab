// Components that only this form uses, with their styles: loaded with it, not with the shell.
import '@mantine/core/styles/NumberInput.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import '#web/ui/switch.css';
