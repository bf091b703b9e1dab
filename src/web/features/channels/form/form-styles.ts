// Styles of components that only this form uses; they load with the form, not with the shell.
import '@mantine/core/styles/PasswordInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import '#web/ui/switch.css';
