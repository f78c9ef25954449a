import type { Dictionary } from './dictionary.ts';

/**
 * The reader is “tú”. An app is “aplicación”, access “acceso”, a booking “reserva”, an event type
 * “tipo de evento”, a host “anfitrión”, an attendee “asistente”, a passkey “llave de acceso”, an
 * email “correo”.
 */
export const spanish = {
  // The frame of all pages:
  'Skip to content': 'Saltar al contenido',
  'Error:': 'Error:',
  'API documentation': 'Documentación de la API',
  Language: 'Idioma',
  'Change language': 'Cambiar idioma',
  'Browser’s language': 'Idioma del navegador',
  Main: 'Principal',
  Menu: 'Menú',
  Account: 'Cuenta',
  Docs: 'Documentación',
  'Sign in': 'Iniciar sesión',
  'Sign out': 'Cerrar sesión',
  'Sign out of {service}?': '¿Cerrar sesión en {service}?',
  '{app} asks you to sign out of {service}, too.': '{app} le pide que cierre sesión también en {service}.',
  'This ends your session in this browser. Apps keep the access that you approved.':
    'Esto cierra su sesión en este navegador. Las aplicaciones conservan el acceso que usted aprobó.',
  'Stay signed in': 'Mantener la sesión iniciada',
  'You’re signed out': 'Ha cerrado sesión',
  'You can close this page.': 'Puede cerrar esta página.',
  waiting: 'en espera',
  'Go to home': 'Ir al inicio',
  Settings: 'Ajustes',
  'All settings': 'Todos los ajustes',
  Admin: 'Administración',
  Profile: 'Perfil',
  Sessions: 'Sesiones',
  'Account activity': 'Actividad de la cuenta',
  'Your data': 'Tus datos',
  People: 'Personas',
  Teams: 'Equipos',
  Organization: 'Organización',
  Overview: 'Resumen',
  Accounts: 'Cuentas',
  'Audit log': 'Registro de auditoría',
  'Outgoing email': 'Correo saliente',
  Apps: 'Aplicaciones',
  Developer: 'Desarrolladores',
  'Connected apps': 'Aplicaciones conectadas',
  'Your apps': 'Tus aplicaciones',
  Review: 'Revisión',
  Security: 'Seguridad',
  'Personal tokens': 'Tokens personales',
  Scheduling: 'Agenda',
  Bookings: 'Reservas',
  'Event types': 'Tipos de evento',
  Schedules: 'Horarios',
  Availability: 'Disponibilidad',
  Calendars: 'Calendarios',
  Webhooks: 'Webhooks',
  // Sign-in and sign-up:
  'Email address': 'Correo electrónico',
  Password: 'Contraseña',
  Name: 'Nombre',
  'Sign in with a passkey': 'Iniciar sesión con una llave de acceso',
  'Forgot your password?': '¿Olvidaste tu contraseña?',
  'New here?': '¿Es tu primera vez aquí?',
  'Create an account': 'Crear una cuenta',
  'Create account': 'Crear cuenta',
  'Already have an account?': '¿Ya tienes una cuenta?',
  'The first account administers this installation: create yours now.':
    'La primera cuenta administra esta instalación: crea la tuya ahora.',
  'Sign-ups are closed. Ask your administrator for an account.':
    'El registro está cerrado. Pide una cuenta a tu administrador.',
  'At least 10 characters. A few random words work well.':
    'Al menos 10 caracteres. Unas cuantas palabras al azar funcionan bien.',
  'Sign in to continue to {app}': 'Inicia sesión para continuar en {app}',
  'Create an account to continue to {app}': 'Crea una cuenta para continuar en {app}',
  'Enter your password to continue to {app}': 'Escribe tu contraseña para continuar en {app}',
  'Reset your password to continue to {app}': 'Restablece tu contraseña para continuar en {app}',
  'Sign in to continue to the app.': 'Inicia sesión para continuar en la aplicación.',
  'Create an account to continue to the app.': 'Crea una cuenta para continuar en la aplicación.',
  'Enter your password to continue to the app.': 'Escribe tu contraseña para continuar en la aplicación.',
  'Reset your password to continue to the app.': 'Restablece tu contraseña para continuar en la aplicación.',
  'Sign in to continue.': 'Inicia sesión para continuar.',
  'Create an account to continue.': 'Crea una cuenta para continuar.',
  'Enter your password to continue.': 'Escribe tu contraseña para continuar.',
  'Reset your password to continue.': 'Restablece tu contraseña para continuar.',
  'Sign in to answer your invitation.': 'Inicia sesión para responder a tu invitación.',
  'Create an account to answer your invitation.': 'Crea una cuenta para responder a tu invitación.',
  'Enter your password to answer your invitation.': 'Escribe tu contraseña para responder a tu invitación.',
  'Reset your password to answer your invitation.':
    'Restablece tu contraseña para responder a tu invitación.',
  'You’re signed in': 'Has iniciado sesión',
  Continue: 'Continuar',
  'Your account is suspended': 'Tu cuenta está suspendida',
  'An admin suspended it for this reason:': 'Un administrador la suspendió por este motivo:',
  'You can’t sign in, and your apps and public pages don’t work. If you think this is a mistake, contact the people who run this service.':
    'No puedes iniciar sesión, y tus aplicaciones y páginas públicas no funcionan. Si crees que es un error, ponte en contacto con quienes gestionan este servicio.',
  'Incorrect email or password.': 'El correo o la contraseña no son correctos.',
  'Incorrect password.': 'La contraseña no es correcta.',
  'Too many failed sign-ins.': 'Demasiados inicios de sesión fallidos.',
  'If you can’t wait, reset your password.': 'Si no puedes esperar, restablece tu contraseña.',
  'Try again in a minute.': 'Inténtalo de nuevo en un minuto.',
  'Try again in {minutes} {minutes|minute|minutes}.':
    'Inténtalo de nuevo en {minutes} {minutes|minuto|minutos}.',
  'An account with this email already exists. Sign in instead.':
    'Ya existe una cuenta con este correo. Inicia sesión.',
  'This password is easy to guess. Use a few unrelated words, and not your email or username.':
    'Esta contraseña es fácil de adivinar. Usa varias palabras sin relación entre sí, y no tu correo ni tu nombre de usuario.',
  'Your browser didn’t keep the cookie that signs you in. Allow cookies for this site, then sign in again.':
    'Tu navegador no guardó la cookie que inicia tu sesión. Permite las cookies de este sitio y vuelve a iniciar sesión.',
  'You were signed out, so this form wasn’t saved. Fill it in again.':
    'Se cerró tu sesión, así que este formulario no se guardó. Vuelve a rellenarlo.',
  'What you typed is kept, and sent once you’ve confirmed.':
    'Lo que has escrito se conserva y se enviará en cuanto confirmes.',
  'You were signed out. What you typed is kept, and sent once you’ve signed in.':
    'Se cerró tu sesión. Lo que has escrito se conserva y se enviará en cuanto inicies sesión.',
  'You are in these teams and organizations. If you don’t know one, leave it once you’re signed in: someone else may have joined it for you.':
    'Perteneces a estos equipos y organizaciones. Si no conoces alguno, abandónalo después de iniciar sesión: otra persona puede haberse unido en tu nombre.',
  'You confirmed it’s you. Nothing was changed yet, so send this form again.':
    'Has confirmado que eres tú. Aún no se ha cambiado nada: envía este formulario de nuevo.',
  // Forgotten passwords:
  'We’ll email you a link to choose a new one.': 'Te enviaremos por correo un enlace para elegir una nueva.',
  'Email me a link': 'Enviarme un enlace',
  'No mail server is set up here, so we can’t send you a link. Ask your administrator.':
    'Aquí no hay ningún servidor de correo configurado, así que no podemos enviarte un enlace. Pregunta a tu administrador.',
  'Back to sign in': 'Volver al inicio de sesión',
  'Check your email': 'Revisa tu correo',
  'Email isn’t set up': 'El correo no está configurado',
  'If there’s an account with this email address, we’ve sent it a link. The link works for 30 minutes.':
    'Si existe una cuenta con este correo, le hemos enviado un enlace. El enlace funciona durante 30 minutos.',
  'Nothing there after a few minutes? Look in your spam folder, or check the address and [try again]. You can request up to three emails every 30 minutes.':
    '¿No llega nada después de unos minutos? Mira en la carpeta de spam, o comprueba la dirección e [inténtalo de nuevo]. Puedes pedir hasta tres correos cada 30 minutos.',
  'Choose a new password': 'Elige una nueva contraseña',
  'For the account {email}. You’ll be signed out everywhere else.':
    'Para la cuenta {email}. Se cerrará tu sesión en todos los demás sitios.',
  'New password': 'Nueva contraseña',
  'Keep what’s in this account': 'Conservar lo que hay en esta cuenta',
  'Keep {things}': 'Conservar: {things}',
  'Otherwise {consequences}. Select this only if no one else may have used your account.':
    'Si no marcas esta casilla: {consequences}. Márcala solo si nadie más puede haber usado tu cuenta.',
  'Someone else may have signed up with your address. Otherwise {things} end. Select this only if you created the account yourself.':
    'Es posible que otra persona se haya registrado con tu dirección. Si no marcas esta casilla, se perderá lo siguiente: {things}. Márcala solo si creaste la cuenta tú.',
  'Set new password': 'Guardar nueva contraseña',
  apps: 'aplicaciones',
  webhooks: 'webhooks',
  'personal tokens': 'tokens personales',
  'the chosen calendar': 'el calendario elegido',
  calendars: 'calendarios',
  teams: 'equipos',
  'connected apps, the account’s own apps': 'aplicaciones conectadas, aplicaciones propias de la cuenta',
  'open invitations of owners and admins are withdrawn':
    'se retiran las invitaciones pendientes para ser propietario o administrador',
  'every app loses its access and needs your permission again':
    'todas las aplicaciones pierden su acceso y necesitan tu permiso de nuevo',
  'your personal tokens end': 'tus tokens personales dejan de funcionar',
  'webhooks are turned off': 'se desactivan los webhooks',
  'bookings are no longer written to a calendar': 'las reservas ya no se escriben en un calendario',
  'This link doesn’t work': 'Este enlace no funciona',
  'This link has expired or was already used.': 'Este enlace ha caducado o ya se usó.',
  'Request a new link': 'Pedir un enlace nuevo',
  // Verification:
  'Verify your email to continue': 'Verifica tu correo para continuar',
  'We need to know that {email} is your address. Open the link that we emailed to you when you signed up, or get a new one. Then you come back to this step.':
    'Necesitamos saber que {email} es tu dirección. Abre el enlace que te enviamos por correo al registrarte, o pide uno nuevo. Después volverás a este paso.',
  'Not your address?': '¿No es tu dirección?',
  'Change email address': 'Cambiar dirección de correo',
  'Verify email address': 'Verificar correo',
  'Change your email address': 'Cambia tu correo',
  'Verify your email address': 'Verifica tu correo',
  'Send new link': 'Enviar enlace nuevo',
  'We’ve sent a link to {email}. Open it in this browser to verify your address. It works once, for 24 hours.':
    'Hemos enviado un enlace a {email}. Ábrelo en este navegador para verificar tu dirección. Funciona una sola vez, durante 24 horas.',
  'Nothing there after a few minutes? Look in your spam folder, or get a new link.':
    '¿No llega nada después de unos minutos? Mira en la carpeta de spam, o pide un enlace nuevo.',
  'We’ve sent you an email. Open its link in this browser to verify your address and sign in. It works once, for 24 hours.':
    'Te hemos enviado un correo. Abre su enlace en este navegador para verificar tu dirección e iniciar sesión. Funciona una sola vez, durante 24 horas.',
  'Nothing there after a few minutes? Look in your spam folder, or sign in to get a new link.':
    '¿No llega nada después de unos minutos? Mira en la carpeta de spam, o inicia sesión para pedir un enlace nuevo.',
  'Your account will use {email}. You sign in with this address from then on.':
    'Tu cuenta usará {email}. A partir de entonces iniciarás sesión con esta dirección.',
  'You use {email} for your account.': 'Usas {email} para tu cuenta.',
  'This link isn’t for the account of {email}. Sign out, and sign in with the account that asked for the link.':
    'Este enlace no es para la cuenta de {email}. Cierra sesión e iníciala con la cuenta que pidió el enlace.',
  'Sign in with your current address to change it to {email}.':
    'Inicia sesión con tu dirección actual para cambiarla a {email}.',
  'If you didn’t ask for this, close this page: nothing is changed.':
    'Si no lo pediste, cierra esta página: no se cambia nada.',
  'Sign in to verify {email}. That way nobody else can set up an account with your address.':
    'Inicia sesión para verificar {email}. Así nadie más puede crear una cuenta con tu dirección.',
  'If you don’t know the password, [reset it]: this verifies your address, too. If you didn’t sign up, close this page: without you, the account can’t do anything.':
    'Si no sabes la contraseña, [restablécela]: esto también verifica tu dirección. Si no te registraste, cierra esta página: sin ti, la cuenta no puede hacer nada.',
  'This link has expired, was already used, or was replaced by a newer one.':
    'Este enlace ha caducado, ya se usó o se sustituyó por uno más reciente.',
  'Go to your profile': 'Ir a tu perfil',
  // Confirmation and passkeys:
  'Confirm it’s you': 'Confirma que eres tú',
  'You signed in a while ago. Before you {act}, enter your password again.':
    'Iniciaste sesión hace un rato. Antes de {act}, escribe de nuevo tu contraseña.',
  Confirm: 'Confirmar',
  'Use your passkey instead': 'Usar tu llave de acceso',
  'make a sensitive change': 'hacer un cambio delicado',
  'give {app} full access to your account': 'dar a {app} acceso completo a tu cuenta',
  'give {app} access to your account': 'dar a {app} acceso a tu cuenta',
  'change your email address': 'cambiar tu correo',
  'change your password': 'cambiar tu contraseña',
  'download your data': 'descargar tus datos',
  'delete your account': 'eliminar tu cuenta',
  'delete an app': 'eliminar una aplicación',
  'add a client secret': 'añadir un secreto de cliente',
  'change how you sign in': 'cambiar cómo inicias sesión',
  'create a personal token': 'crear un token personal',
  'Use your passkey': 'Usa tu llave de acceso',
  'Use passkey': 'Usar llave de acceso',
  'Passkeys need JavaScript and a browser that supports them.':
    'Las llaves de acceso necesitan JavaScript y un navegador que las admita.',
  'Your browser didn’t use a passkey. Try again.':
    'Tu navegador no usó una llave de acceso. Inténtalo de nuevo.',
  'Your password is right. Confirm with one of your passkeys.':
    'Tu contraseña es correcta. Confirma con una de tus llaves de acceso.',
  'Your browser shows the passkeys you have for {service}.':
    'Tu navegador muestra las llaves de acceso que tienes para {service}.',
  'No passkey at hand?': '¿No tienes a mano una llave de acceso?',
  'Recovery code': 'Código de recuperación',
  'You saved 10 of them when you added your first passkey.':
    'Guardaste 10 cuando añadiste tu primera llave de acceso.',
  'Use recovery code': 'Usar código de recuperación',
  'Start over': 'Empezar de nuevo',
  'Use your password instead': 'Usar tu contraseña',
  'Enter a recovery code.': 'Escribe un código de recuperación.',
  'This recovery code is wrong, or was used before.':
    'Este código de recuperación no es correcto o ya se usó.',
  'Your browser didn’t send a passkey. Try again.':
    'Tu navegador no envió ninguna llave de acceso. Inténtalo de nuevo.',
  'This passkey didn’t work. Try again, or use another one.':
    'Esta llave de acceso no funcionó. Inténtalo de nuevo o usa otra.',
  'Your password alone doesn’t sign you in': 'Tu contraseña no basta para iniciar sesión',
  'Your account has a passkey, and this service has turned passkeys off. Ask the people who run it to turn them on again, or to remove your passkeys.':
    'Tu cuenta tiene una llave de acceso y este servicio las ha desactivado. Pide a quienes lo gestionan que las vuelvan a activar o que quiten las tuyas.',
  // The frame of all emails:
  'You get this email because of your {app} account. If you didn’t expect it, sign in and look at your settings.':
    'Recibes este correo por tu cuenta de {app}. Si no lo esperabas, inicia sesión y revisa tus ajustes.',
  'Or open': 'O abre',
  // Booking pages:
  '{hours} {hours|hour|hours}': '{hours} {hours|hora|horas}',
  '{minutes} {minutes|minute|minutes}': '{minutes} {minutes|minuto|minutos}',
  '{hours} {minutes}': '{hours} y {minutes}',
  '{kind}: {place}': '{kind}: {place}',
  '{label} (optional)': '{label} (opcional)',
  '{event} with {names}': '{event} con {names}',
  '{event} between {hosts} and {attendee}': '{event} entre {hosts} y {attendee}',
  'one of {names}': 'una de estas personas: {names}',
  '{count} {count|other|others}': '{count} {count|persona más|personas más}',
  'The host confirms each booking': 'El anfitrión confirma cada reserva',
  'The host will tell you where': 'El anfitrión te dirá dónde',
  'Book {name}': 'Reserva con {name}',
  'Choose an event type and a time that suits you.': 'Elige un tipo de evento y la hora que te venga bien.',
  'Choose an event type to book.': 'Elige un tipo de evento para reservar.',
  Length: 'Duración',
  'No event types yet': 'Aún no hay tipos de evento',
  'People can book {team} here once it has an event type. Until then, only members see this page.':
    'Se podrá reservar con {team} aquí cuando tenga un tipo de evento. Hasta entonces, solo los miembros ven esta página.',
  'Create event type': 'Crear tipo de evento',
  'View team': 'Ver equipo',
  'Event type not found': 'Tipo de evento no encontrado',
  'The link may be wrong, or its host removed this event type.':
    'Puede que el enlace no sea correcto o que el anfitrión haya eliminado este tipo de evento.',
  'See what {name} offers': 'Ver qué ofrece {name}',
  'Time zone': 'Zona horaria',
  'Change time zone': 'Cambiar zona horaria',
  Months: 'Meses',
  'Days with available times in {month}': 'Días con horas disponibles en {month}',
  today: 'hoy',
  '{count} {count|time|times}': '{count} {count|hora disponible|horas disponibles}',
  'No times are available.': 'No hay horas disponibles.',
  'We can’t load available times right now. Try again in a few minutes.':
    'Ahora mismo no podemos cargar las horas disponibles. Inténtalo de nuevo en unos minutos.',
  'The host’s calendar can’t be read, so nobody can book at the moment. We’ve told the host.':
    'No se puede leer el calendario del anfitrión, así que por ahora nadie puede reservar. Hemos avisado al anfitrión.',
  'Try again': 'Reintentar',
  'No times available in {month}.': 'No hay horas disponibles en {month}.',
  'View {month}': 'Ver {month}',
  'Later months can’t be booked yet.': 'Los meses siguientes aún no se pueden reservar.',
  'No times available on this day. Choose another one.': 'No hay horas disponibles este día. Elige otro.',
  Times: 'Horas',
  'Choose a day to see available times.': 'Elige un día para ver las horas disponibles.',
  'No times this month.': 'No hay horas este mes.',
  'We don’t know that time zone. Times are shown in {zone}.':
    'No conocemos esa zona horaria. Las horas se muestran en {zone}.',
  'That day can’t be booked. Choose another one.': 'Ese día no se puede reservar. Elige otro.',
  'Choose another time': 'Elegir otra hora',
  'Choose another day': 'Elegir otro día',
  'Other times on this day': 'Otras horas de este día',
  'No other times on this day.': 'No hay otras horas este día.',
  'Book this time': 'Reservar esta hora',
  'Request this time': 'Solicitar esta hora',
  'We’ll send your confirmation and a link to reschedule or cancel.':
    'Te enviaremos la confirmación y un enlace para reprogramar o cancelar.',
  'Visible to the host. This server can’t send email.':
    'Visible para el anfitrión. Este servidor no puede enviar correos.',
  'Visible to the host.': 'Visible para el anfitrión.',
  'Notes (optional)': 'Notas (opcional)',
  'Guests (optional)': 'Invitados (opcional)',
  'Reason (optional)': 'Motivo (opcional)',
  'Email addresses, one per line.': 'Correos electrónicos, uno por línea.',
  'Email addresses, one per line, up to 10.': 'Correos electrónicos, uno por línea, hasta 10.',
  'Email addresses, one per line, up to 10. Guests are notified.':
    'Correos electrónicos, uno por línea, hasta 10. Avisaremos a los invitados.',
  Where: 'Lugar',
  'Where: {place}': 'Lugar: {place}',
  'Choose where.': 'Elige el lugar.',
  'In person': 'En persona',
  Online: 'En línea',
  'Phone call': 'Llamada telefónica',
  'At your address': 'En tu dirección',
  'Phone call to your number': 'Llamada a tu número',
  'At a place you choose': 'En un lugar que elijas',
  'Your address': 'Tu dirección',
  'Your phone number': 'Tu número de teléfono',
  Place: 'Lugar',
  'Your address, phone number or place': 'Tu dirección, número de teléfono o lugar',
  'Needed for: {places}.': 'Necesario para: {places}.',
  'Enter your address.': 'Escribe tu dirección.',
  'Enter a phone number such as +49 30 123456.': 'Escribe un número de teléfono como +49 30 123456.',
  'Enter a place.': 'Escribe un lugar.',
  'Choose…': 'Elegir…',
  Yes: 'Sí',
  'Too many bookings from your network. Try again in a minute.':
    'Demasiadas reservas desde tu red. Inténtalo de nuevo en un minuto.',
  'We can’t check available times right now. Try again in a minute.':
    'Ahora mismo no podemos comprobar las horas disponibles. Inténtalo de nuevo en un minuto.',
  'This host can’t take more bookings today. Try again tomorrow.':
    'Este anfitrión no puede aceptar más reservas hoy. Inténtalo de nuevo mañana.',
  'This time is no longer available. Choose another one.': 'Esta hora ya no está disponible. Elige otra.',
  'This time is no longer available. Choose another one. If you just booked it, you’re all set.':
    'Esta hora ya no está disponible. Elige otra. Si acabas de reservarla, ya está todo listo.',
  'You already made a booking with this form. To make another one, choose another time.':
    'Ya has hecho una reserva con este formulario. Para hacer otra, elige otra hora.',
  Booked: 'Reservada',
  Pending: 'Pendiente',
  Past: 'Pasada',
  Rescheduled: 'Reprogramada',
  Cancelled: 'Cancelada',
  Declined: 'Rechazada',
  'You’re booked.': 'Tu reserva está confirmada.',
  'The host still has to confirm this booking.': 'El anfitrión aún tiene que confirmar esta reserva.',
  'This booking is over and can’t be changed.': 'Esta reserva ya ha pasado y no se puede cambiar.',
  'This booking was never confirmed, and its time is over.':
    'Esta reserva nunca se confirmó y su hora ya ha pasado.',
  'This booking was rescheduled.': 'Esta reserva se ha reprogramado.',
  'This booking was cancelled.': 'Esta reserva se ha cancelado.',
  'The host declined this booking.': 'El anfitrión ha rechazado esta reserva.',
  With: 'Con',
  Join: 'Unirse',
  'Booked by': 'Reservada por',
  Guests: 'Invitados',
  Notes: 'Notas',
  Reason: 'Motivo',
  'Reason for rescheduling': 'Motivo de la reprogramación',
  'Rescheduled from {time}.': 'Reprogramada; antes: {time}.',
  'New time:': 'Nueva hora:',
  'Add to calendar:': 'Añadir al calendario:',
  '.ics file': 'archivo .ics',
  'We sent a confirmation to {email}. Use the link in it to come back to this page.':
    'Hemos enviado una confirmación a {email}. Usa su enlace para volver a esta página.',
  'We sent the details to {email}. Use the link in it to come back to this page.':
    'Hemos enviado los detalles a {email}. Usa el enlace del correo para volver a esta página.',
  'This server can’t send email. Save the address of this page to come back.':
    'Este servidor no puede enviar correos. Guarda la dirección de esta página para volver.',
  Reschedule: 'Reprogramar',
  'Cancel booking': 'Cancelar reserva',
  'Keep booking': 'Mantener reserva',
  'Book another time': 'Reservar otra hora',
  'Join the meeting': 'Unirse a la reunión',
  'Link set by': 'Enlace de',
  'Leads to': 'Lleva a',
  'That site isn’t part of {app}. Never enter your {app} password there.':
    'Ese sitio no forma parte de {app}. Nunca escribas en él tu contraseña de {app}.',
  'Continue to {host}': 'Continuar a {host}',
  'This meeting doesn’t take place': 'Esta reunión no se celebra',
  'It’s over, or it was cancelled or rescheduled. A newer email has the new time and link.':
    'Ya ha terminado, o se canceló o se reprogramó. Un correo más reciente tiene la nueva hora y el enlace.',
  'Cancel this booking?': '¿Cancelar esta reserva?',
  'All attendees will be notified and the time reopens.':
    'Se avisará a todos los asistentes y la hora volverá a estar disponible.',
  'The time reopens. This server can’t send email, so nobody is notified.':
    'La hora volverá a estar disponible. Este servidor no puede enviar correos, así que no se avisará a nadie.',
  'Reschedule: {title}': 'Reprogramar: {title}',
  'Reschedule booking': 'Reprogramar reserva',
  'Your booking': 'Tu reserva',
  'Choose a new time': 'Elige una nueva hora',
  'Currently {time}': 'Actualmente: {time}',
  '{title}, currently {time}': '{title}, actualmente: {time}',
  'Reschedule to this time?': '¿Reprogramar a esta hora?',
  'The host has to confirm the new time. The current time is released immediately.':
    'El anfitrión tiene que confirmar la nueva hora. La actual se libera de inmediato.',
  'Keep current time': 'Mantener la hora actual',
  'Enter a name without web addresses.': 'Escribe un nombre sin direcciones web.',
  'Enter text.': 'Escribe un texto.',
  'Enter up to {number} guests.': 'Indica como máximo {number} invitados.',
  '“{text}” isn’t a valid email address. Enter one per line.':
    '«{text}» no es un correo electrónico válido. Escribe uno por línea.',
  'Shorten this text.': 'Acorta este texto.',
  'Check this box.': 'Marca esta casilla.',
  'Choose an option.': 'Elige una opción.',
  'Answer this question.': 'Responde a esta pregunta.',
  'Enter email addresses, one per line.': 'Escribe correos electrónicos, uno por línea.',
  'Choose from the options.': 'Elige entre las opciones.',
  'Choose one of the options.': 'Elige una de las opciones.',
  'Enter a number.': 'Escribe un número.',
  'Enter a phone number.': 'Escribe un número de teléfono.',
  'Enter a link that begins with https://.': 'Escribe un enlace que empiece por https://.',
  // Booking emails:
  '{subject}: {title}, {time}': '{subject}: {title}, {time}',
  'This booking is confirmed.': 'Esta reserva está confirmada.',
  'Your request was sent. We’ll email you when the host confirms or declines it.':
    'Tu solicitud se ha enviado. Te escribiremos cuando el anfitrión la confirme o la rechace.',
  'New request': 'Nueva solicitud',
  'Someone wants to book this time with you. Confirm or decline it.':
    'Alguien quiere reservar esta hora contigo. Confírmala o recházala.',
  'Rescheduled by': 'Reprogramada por',
  'Rescheduled and confirmed': 'Reprogramada y confirmada',
  'This booking was rescheduled and is confirmed.': 'Esta reserva se ha reprogramado y está confirmada.',
  'New time pending': 'Nueva hora pendiente',
  'You rescheduled this booking. The host has to confirm the new time; the previous time was released.':
    'Has reprogramado esta reserva. El anfitrión tiene que confirmar la nueva hora; la anterior se ha liberado.',
  'New time requested': 'Nueva hora solicitada',
  'The attendee rescheduled this booking. Confirm or decline the new time; the previous time is free again.':
    'El asistente ha reprogramado esta reserva. Confirma o rechaza la nueva hora; la anterior vuelve a estar libre.',
  'No longer at this time': 'Ya no es a esta hora',
  'This booking no longer takes place at this time. If the host confirms a new time, we’ll email you.':
    'Esta reserva ya no es a esta hora. Si el anfitrión confirma una nueva hora, te escribiremos.',
  Confirmed: 'Confirmada',
  'The host confirmed this booking.': 'El anfitrión ha confirmado esta reserva.',
  'Cancelled by': 'Cancelada por',
  'New host': 'Nuevo anfitrión',
  'This booking has a new host.': 'Esta reserva tiene un nuevo anfitrión.',
  'This booking has a new host, who still has to confirm it.':
    'Esta reserva tiene un nuevo anfitrión, que aún tiene que confirmarla.',
  'Assigned to you': 'Asignada a ti',
  'You now host this booking.': 'Ahora eres el anfitrión de esta reserva.',
  'You now host this booking. Confirm or decline it.':
    'Ahora eres el anfitrión de esta reserva. Confírmala o recházala.',
  Reassigned: 'Reasignada',
  'This booking was reassigned to another host.': 'Esta reserva se ha reasignado a otro anfitrión.',
  'View booking': 'Ver reserva',
  'Confirm or decline booking': 'Confirmar o rechazar reserva',
  'Reschedule or cancel booking': 'Reprogramar o cancelar reserva',
  'You received this email because someone made a booking with this address. If it wasn’t you, ignore this email.':
    'Recibes este correo porque alguien hizo una reserva con esta dirección. Si no fuiste tú, ignóralo.',
  'You received this email because someone made a booking with this address. If it wasn’t you, use the link to cancel it.':
    'Recibes este correo porque alguien hizo una reserva con esta dirección. Si no fuiste tú, usa el enlace para cancelarla.',
  'You received this email because someone added you as a guest. If you don’t know why, ignore it.':
    'Recibes este correo porque alguien te añadió como invitado. Si no sabes por qué, ignóralo.',
  'the rest is on the booking’s page': 'el resto está en la página de la reserva',
  'the host': 'el anfitrión',
  '{name} (attendee)': '{name} (asistente)',
  What: 'Qué',
  'Previous time': 'Hora anterior',
  'The address you entered': 'La dirección que escribiste',
  'The phone number you entered': 'El número de teléfono que escribiste',
  'The place you entered': 'El lugar que escribiste',
  // What is wrong with a form:
  'Enter an email address.': 'Escribe un correo electrónico.',
  'Enter a valid email address.': 'Escribe un correo electrónico válido.',
  'Use an address without “+” and 25 letters or digits before the @.':
    'Usa una dirección que no tenga «+» y 25 letras o cifras justo antes de la @.',
  'Enter a password.': 'Escribe una contraseña.',
  'Enter your password.': 'Escribe tu contraseña.',
  'Enter your name.': 'Escribe tu nombre.',
  'Use at least {number} characters.': 'Usa al menos {number} caracteres.',
  'Use at most {number} characters.': 'Usa como máximo {number} caracteres.',
  'The NUL character isn’t allowed.': 'No se permite el carácter NUL.',
  'Line breaks and control characters aren’t allowed.':
    'No se permiten saltos de línea ni caracteres de control.',
  'Control characters aren’t allowed.': 'No se permiten caracteres de control.',
  'Remove characters that change the text direction.':
    'Quita los caracteres que cambian la dirección del texto.',
  'Use visible characters.': 'Usa caracteres visibles.',
  // Consent:
  'Allow {app}?': '¿Permitir {app}?',
  '{app} wants access to your {service} account': '{app} quiere acceder a tu cuenta de {service}',
  'Sign in to {app}': 'Iniciar sesión en {app}',
  'No website given': 'Sin sitio web indicado',
  'Reviewed by {service}': 'Revisada por {service}',
  'You approved this app on {date}.': 'Aprobaste esta aplicación el {date}.',
  'It’s asking for different permissions this time.': 'Esta vez pide permisos distintos.',
  'Signed in as': 'Sesión iniciada como',
  'Use another account': 'Usar otra cuenta',
  '{app} asks you to sign in as {email}.': '{app} te pide que inicies sesión como {email}.',
  '{app} asks you to sign in with another account.': '{app} te pide que inicies sesión con otra cuenta.',
  'You’re signed in as {email}.': 'Has iniciado sesión como {email}.',
  'Back to the app': 'Volver a la aplicación',
  'It gets access to the team {team}.': 'Obtendrá acceso al equipo {team}.',
  'Access to': 'Acceso a',
  '{name} (you)': '{name} (tú)',
  '{name} (team)': '{name} (equipo)',
  '{app} will be able to:': '{app} podrá:',
  '{app} won’t be able to:': '{app} no podrá:',
  Read: 'Lectura',
  New: 'Nuevo',
  'Read and change': 'Lectura y cambios',
  'This includes the teams that you manage: {teams}.': 'Esto incluye los equipos que gestionas: {teams}.',
  'Remove access anytime in Settings → Connected apps.':
    'Puedes quitar el acceso cuando quieras en Ajustes → Aplicaciones conectadas.',
  'This access is for {resources}.': 'Este acceso es para {resources}.',
  'your account': 'tu cuenta',
  'Don’t ask again for {app}': 'No volver a preguntar por {app}',
  'You’ll be redirected to {host}': 'Se te redirigirá a {host}',
  'You’ll be redirected to an app on this device: {host}':
    'Se te redirigirá a una aplicación de este dispositivo: {host}',
  'You’ll be redirected to an app on this device: {host}. Allow it only if you started it yourself.':
    'Se te redirigirá a una aplicación de este dispositivo: {host}. Permítela solo si la iniciaste tú.',
  Deny: 'Rechazar',
  Allow: 'Permitir',
  'Opening {app}…': 'Abriendo {app}…',
  'You can close this page once it’s open.': 'Puedes cerrar esta página cuando se abra.',
  'You’ve already allowed this': 'Ya lo has permitido',
  'The app has the access that you approved. Go back to the app.':
    'La aplicación tiene el acceso que aprobaste. Vuelve a la aplicación.',
  'View connected apps': 'Ver aplicaciones conectadas',
  'This page has expired': 'Esta página ha caducado',
  'It was opened too long ago or already used, or you’ve signed in again since. Your click changed nothing.':
    'Se abrió hace demasiado tiempo o ya se usó, o has vuelto a iniciar sesión desde entonces. Tu clic no ha cambiado nada.',
  'View the request again': 'Ver la solicitud de nuevo',
  'Invalid request': 'Solicitud no válida',
  'Part of the address is repeated, too long or damaged.':
    'Una parte de la dirección está repetida, es demasiado larga o está dañada.',
  'Go back to the app and try again. If it keeps happening, contact the developer.':
    'Vuelve a la aplicación e inténtalo de nuevo. Si sigue ocurriendo, ponte en contacto con el desarrollador.',
  'Unknown app': 'Aplicación desconocida',
  'The address names no registered app.': 'La dirección no corresponde a ninguna aplicación registrada.',
  'This app isn’t available': 'Esta aplicación no está disponible',
  'It isn’t approved at the moment.': 'En este momento no está aprobada.',
  'Contact the developer.': 'Contacta con el desarrollador.',
  'Incomplete request': 'Solicitud incompleta',
  'It doesn’t say where to send you afterwards.': 'No dice adónde enviarte después.',
  'The redirect URI doesn’t match': 'El URI de redirección no coincide',
  'The app asked to send you to an address that it hasn’t registered.':
    'La aplicación pidió enviarte a una dirección que no ha registrado.',
  'Your click changed nothing.': 'Tu clic no ha cambiado nada.',
  'Nothing was shared.': 'No se ha compartido nada.',
  'Is it your app? Sign in with the account that registered it and open this address again to see what to fix.':
    '¿Es tu aplicación? Inicia sesión con la cuenta que la registró y abre esta dirección de nuevo para ver qué hay que corregir.',
  'Building this app? Send each parameter once, in UTF-8, with at most 2,048 characters (state: 4,096).':
    '¿Desarrollas esta aplicación? Envía cada parámetro una sola vez, en UTF-8, con un máximo de 2048 caracteres (state: 4096).',
  'Building this app? Check that client_id is the client ID on your app’s page, or the full https address of its metadata document.':
    '¿Desarrollas esta aplicación? Comprueba que client_id es el ID de cliente de la página de tu aplicación, o la dirección https completa de su documento de metadatos.',
  'Building this app? Check that client_id is the client ID on your app’s page.':
    '¿Desarrollas esta aplicación? Comprueba que client_id es el ID de cliente de la página de tu aplicación.',
  'This is your app: {app}': 'Esta es tu aplicación: {app}',
  'Your app is in review. Users can’t connect it until it’s approved.':
    'Tu aplicación está en revisión. Los usuarios no pueden conectarla hasta que se apruebe.',
  'Your app isn’t approved. Its page says why, and how to resubmit it.':
    'Tu aplicación no está aprobada. Su página dice por qué y cómo volver a enviarla.',
  'View app': 'Ver aplicación',
  'Redirect URI in this request:': 'URI de redirección de esta solicitud:',
  'None.': 'Ninguno.',
  'Registered redirect URIs (send one of them, character for character):':
    'URI de redirección registrados (envía uno de ellos, carácter por carácter):',
  'Edit app': 'Editar aplicación',
  // Permissions, which are said with the care of a contract:
  'Use your account to sign you in': 'Usar tu cuenta para iniciar tu sesión',
  'Use your account to sign you in, and see your name, email address, username, time zone and language, and when they last changed':
    'Usar tu cuenta para iniciar tu sesión, y ver tu nombre, dirección de correo electrónico, nombre de usuario, zona horaria e idioma, y cuándo cambiaron por última vez',
  'Use your account to sign you in, and see your email address':
    'Usar tu cuenta para iniciar tu sesión, y ver tu dirección de correo electrónico',
  'Use your account to sign you in, and see your name, username, time zone and language, and when they last changed':
    'Usar tu cuenta para iniciar tu sesión, y ver tu nombre, nombre de usuario, zona horaria e idioma, y cuándo cambiaron por última vez',
  'See your password, or change how you sign in': 'Ver tu contraseña ni cambiar cómo inicias sesión',
  'Change your email address, your teams or your other apps':
    'Cambiar tu dirección de correo electrónico, tus equipos ni tus otras aplicaciones',
  'See your name, email address, username and time zone, and your teams with their members':
    'Ver tu nombre, dirección de correo electrónico, nombre de usuario y zona horaria, y tus equipos con sus miembros',
  'See your name, email address, username and time zone, and the members of the team':
    'Ver tu nombre, dirección de correo electrónico, nombre de usuario y zona horaria, y los miembros del equipo',
  'See or change your profile, or see your teams': 'Ver ni cambiar tu perfil, ni ver tus equipos',
  'Change your profile, or see your teams': 'Cambiar tu perfil ni ver tus equipos',
  'See or change your own bookings, schedules and calendars':
    'Ver ni cambiar tus propias reservas, horarios y calendarios',
  'See your profile with your email address, and your teams with their members; change your name, time zone, default schedule and how times are shown':
    'Ver tu perfil con tu dirección de correo electrónico, y tus equipos con sus miembros; cambiar tu nombre, zona horaria, horario predeterminado y cómo se muestran las horas',
  'Change your name, time zone or default schedule':
    'Cambiar tu nombre, tu zona horaria ni tu horario predeterminado',
  'See your event types': 'Ver tus tipos de evento',
  'See, create, change and delete the event types of the team':
    'Ver, crear, cambiar y eliminar los tipos de evento del equipo',
  'See the event types of the team': 'Ver los tipos de evento del equipo',
  'See or change your event types': 'Ver ni cambiar tus tipos de evento',
  'See, create, change and delete your event types': 'Ver, crear, cambiar y eliminar tus tipos de evento',
  'Change your event types': 'Cambiar tus tipos de evento',
  'See your bookings, with the names, email addresses and answers of people who book you':
    'Ver tus reservas, con los nombres, direcciones de correo electrónico y respuestas de las personas que reservan contigo',
  'See or change your bookings': 'Ver ni cambiar tus reservas',
  'See, create, change and cancel the bookings of the team, with the names, email addresses and answers of people who book it':
    'Ver, crear, cambiar y cancelar las reservas del equipo, con los nombres, direcciones de correo electrónico y respuestas de las personas que lo reservan',
  'See the bookings of the team, with the names, email addresses and answers of people who book it':
    'Ver las reservas del equipo, con los nombres, direcciones de correo electrónico y respuestas de las personas que lo reservan',
  'See, create, change and cancel your bookings, with the names, email addresses and answers of people who book you':
    'Ver, crear, cambiar y cancelar tus reservas, con los nombres, direcciones de correo electrónico y respuestas de las personas que reservan contigo',
  'Create, change or cancel bookings': 'Crear, cambiar ni cancelar reservas',
  'See your schedules, connected calendars and when you are busy in them':
    'Ver tus horarios, tus calendarios conectados y tus horas ocupadas en ellos',
  'See the working hours of the members of the team': 'Ver las horas de trabajo de los miembros del equipo',
  'See or change your schedules and connected calendars':
    'Ver ni cambiar tus horarios ni tus calendarios conectados',
  'See, create, change and delete your schedules, connect and disconnect calendars, and see when you are busy in them':
    'Ver, crear, cambiar y eliminar tus horarios, conectar y desconectar calendarios, y ver tus horas ocupadas en ellos',
  'Change your schedules, connect or disconnect calendars':
    'Cambiar tus horarios ni conectar o desconectar calendarios',
  'See, create, change and delete your schedules, connect and disconnect calendars, see busy times, and choose where bookings go':
    'Ver, crear, cambiar y eliminar tus horarios, conectar y desconectar calendarios, ver las horas ocupadas y elegir adónde van las reservas',
  'See your webhooks, and what was sent to them': 'Ver tus webhooks y lo que se les envió',
  'See, create, change and delete webhooks of the team, which send its bookings to other services':
    'Ver, crear, cambiar y eliminar webhooks del equipo, que envían sus reservas a otros servicios',
  'See the webhooks of the team, and what was sent to them':
    'Ver los webhooks del equipo y lo que se les envió',
  'See or change your webhooks': 'Ver ni cambiar tus webhooks',
  'See, create, change and delete your webhooks, which send your bookings to other services':
    'Ver, crear, cambiar y eliminar tus webhooks, que envían tus reservas a otros servicios',
  'Create, change or delete webhooks': 'Crear, cambiar ni eliminar webhooks',
  // Connected apps:
  'Remove all access': 'Quitar todo el acceso',
  'These apps have access to your account. You can remove it anytime, with immediate effect.':
    'Estas aplicaciones tienen acceso a tu cuenta. Puedes quitarlo cuando quieras, con efecto inmediato.',
  'No connected apps': 'No hay aplicaciones conectadas',
  'Apps you approve appear here.': 'Aquí aparecen las aplicaciones que apruebes.',
  'This app isn’t currently approved by our reviewers. It can’t use your account until it is.':
    'Esta aplicación no está aprobada por nuestros revisores en este momento. No puede usar tu cuenta hasta que lo esté.',
  'Team {team}': 'Equipo {team}',
  'Your account': 'Tu cuenta',
  'Connected since {date}, last active {moment}': 'Conectada desde el {date}, última actividad: {moment}',
  'You no longer manage this team, so the app can’t access it.':
    'Ya no gestionas este equipo, así que la aplicación no puede acceder a él.',
  'It can': 'Puede',
  'Nothing: the app no longer uses the permissions that you approved':
    'Nada: la aplicación ya no usa los permisos que aprobaste',
  'For {resources}': 'Para {resources}',
  'Not connected at the moment.': 'Ahora no está conectada.',
  'It can connect to the team {team} without asking you. You chose this on {date}.':
    'Puede conectarse al equipo {team} sin preguntarte. Lo elegiste el {date}.',
  'It can connect to your account without asking you. You chose this on {date}.':
    'Puede conectarse a tu cuenta sin preguntarte. Lo elegiste el {date}.',
  'Ask me every time': 'Preguntarme cada vez',
  'Remove access': 'Quitar acceso',
  'for {app}': 'para {app}',
  Previous: 'Anterior',
  Next: 'Siguiente',
  Pages: 'Páginas',
  'No apps have access to your account.': 'Ninguna aplicación tiene acceso a tu cuenta.',
  '{count} {count|app has|apps have} access to your account. If you remove it:':
    '{count} {count|aplicación tiene|aplicaciones tienen} acceso a tu cuenta. Si lo quitas:',
  'No app can use your account or your teams, effective immediately.':
    'Ninguna aplicación podrá usar tu cuenta ni tus equipos, con efecto inmediato.',
  'Apps will need your permission again.': 'Las aplicaciones necesitarán tu permiso de nuevo.',
  'Your own tokens for the API end, too.': 'También dejan de funcionar tus propios tokens de la API.',
  'Anything that they created stays.': 'Todo lo que crearon se conserva.',
  Cancel: 'Cancelar',
  'Access removed. The app can no longer use your account.':
    'Se ha quitado el acceso. La aplicación ya no puede usar tu cuenta.',
  'All access removed. No app can use your account.':
    'Se ha quitado todo el acceso. Ninguna aplicación puede usar tu cuenta.',
  'The app will ask you every time from now on.': 'La aplicación te preguntará cada vez a partir de ahora.',
  // Emails of accounts and consent:
  'Unknown browser': 'Navegador desconocido',
  '{browser} on {system}': '{browser} en {system}',
  'You get this email because someone entered your address on our site.':
    'Recibes este correo porque alguien introdujo tu dirección en nuestro sitio.',
  'Someone uses this email address for an account. If it was you:':
    'Alguien usa este correo para una cuenta. Si has sido tú:',
  'The link works once, for 24 hours. If it wasn’t you, ignore this email: the account can’t do anything with your address.':
    'El enlace funciona una sola vez, durante 24 horas. Si no has sido tú, ignora este correo: la cuenta no puede hacer nada con tu dirección.',
  'You already have an account': 'Ya tienes una cuenta',
  'Someone tried to sign up with your email address. You already have an account with it.':
    'Alguien intentó registrarse con tu correo. Ya tienes una cuenta con él.',
  'If this was you, sign in, or reset your password. If it wasn’t, no action is needed: nothing was changed.':
    'Si has sido tú, inicia sesión o restablece tu contraseña. Si no, no tienes que hacer nada: no se ha cambiado nada.',
  'Reset password': 'Restablecer contraseña',
  'Your email address already has an account': 'Tu correo ya tiene una cuenta',
  'Someone tried to sign up with your email address. It already has an account, which was never verified.':
    'Alguien intentó registrarse con tu correo. Ya tiene una cuenta, que nunca se verificó.',
  'To use that account, reset its password: this verifies your address and signs everyone else out. If you didn’t sign up, no action is needed.':
    'Para usar esa cuenta, restablece su contraseña: esto verifica tu dirección y cierra la sesión de todos los demás. Si no te registraste, no tienes que hacer nada.',
  'Confirm your new email address': 'Confirma tu nuevo correo',
  'Someone wants to use this email address for their account. If it was you:':
    'Alguien quiere usar este correo para su cuenta. Si has sido tú:',
  'The link works once, for 24 hours, where you’re signed in. If it wasn’t you, ignore this email: nothing is changed.':
    'El enlace funciona una sola vez, durante 24 horas, donde tengas la sesión iniciada. Si no has sido tú, ignora este correo: no se cambia nada.',
  'Someone tried to use your email address': 'Alguien intentó usar tu correo',
  'Someone tried to change the email address of their account to yours. It belongs to another account, so nothing was changed, and they were not told why.':
    'Alguien intentó cambiar el correo de su cuenta por el tuyo. Pertenece a otra cuenta, así que no se cambió nada, y no se le dijo por qué.',
  'If this was you, change the address of the account that uses this one first.':
    'Si has sido tú, cambia primero la dirección de la cuenta que usa esta.',
  'Your email address was changed': 'Se ha cambiado tu correo',
  'The email address of your account was changed. Sign in with the new address from now on.':
    'Se ha cambiado el correo de tu cuenta. A partir de ahora, inicia sesión con la nueva dirección.',
  From: 'Antes',
  To: 'Ahora',
  Website: 'Sitio web',
  'none given': 'sin indicar',
  'Change password': 'Cambiar contraseña',
  'If this was you, no action is needed.': 'Si has sido tú, no tienes que hacer nada.',
  'If it wasn’t you, someone else knows your password. Sign in, change the password and then the address. If you can’t sign in anymore, ask your administrator to stop the account.':
    'Si no has sido tú, otra persona sabe tu contraseña. Inicia sesión, cambia la contraseña y después la dirección. Si ya no puedes iniciar sesión, pide a tu administrador que suspenda la cuenta.',
  'Someone signed in to your account with your password, in a new browser.':
    'Alguien inició sesión en tu cuenta con tu contraseña desde un navegador nuevo.',
  'Someone signed in to your account with your passkey, in a new browser.':
    'Alguien inició sesión en tu cuenta con tu llave de acceso desde un navegador nuevo.',
  'If it wasn’t you, someone else knows your password. Change it, and sign out the sessions you don’t recognize.':
    'Si no has sido tú, otra persona sabe tu contraseña. Cámbiala y cierra las sesiones que no reconozcas.',
  'If it wasn’t you, someone else has your passkey. Remove it, and sign out the sessions you don’t recognize.':
    'Si no has sido tú, otra persona tiene tu llave de acceso. Quítala y cierra las sesiones que no reconozcas.',
  'View security settings': 'Ver ajustes de seguridad',
  'New sign-in to your account': 'Nuevo inicio de sesión en tu cuenta',
  When: 'Cuándo',
  Browser: 'Navegador',
  Address: 'Dirección IP',
  'View sessions': 'Ver sesiones',
  'Reset your password': 'Restablece tu contraseña',
  'Someone asked to reset the password of your account.':
    'Alguien pidió restablecer la contraseña de tu cuenta.',
  'The link works once, for 30 minutes. If you didn’t ask for it, ignore this email: your password stays the same.':
    'El enlace funciona una sola vez, durante 30 minutos. Si no lo pediste, ignora este correo: tu contraseña no cambia.',
  'Your password was changed': 'Se ha cambiado tu contraseña',
  'The password of your account was changed, and you were signed out everywhere else.':
    'Se ha cambiado la contraseña de tu cuenta y se ha cerrado tu sesión en todos los demás sitios.',
  'If this was you, no action is needed. If it wasn’t, reset your password now.':
    'Si has sido tú, no tienes que hacer nada. Si no, restablece tu contraseña ahora.',
  'You gave {app} access to your account': 'Has dado a {app} acceso a tu cuenta',
  'You approved an app:': 'Has aprobado una aplicación:',
  App: 'Aplicación',
  For: 'Para',
  'If this was you, no action is needed. If not, remove the app’s access and change your password.':
    'Si has sido tú, no tienes que hacer nada. Si no, quita el acceso de la aplicación y cambia tu contraseña.',
  'the team {team}': 'el equipo {team}',
  // Pages that say what went wrong:
  'This page is out of date': 'Esta página está desactualizada',
  'You’ve signed in again since you opened it. Nothing was saved yet, but what you typed is kept.':
    'Has vuelto a iniciar sesión desde que la abriste. Aún no se ha guardado nada, pero lo que has escrito se conserva.',
  'What you typed is kept here. Keep this page open, and send it once you’ve chosen a new password.':
    'Lo que has escrito se conserva aquí. Deja esta página abierta y envíalo cuando hayas elegido una contraseña nueva.',
  'Send it now': 'Enviar ahora',
  'You’ve signed in again since you opened it, so nothing was saved. Open the page again and retry.':
    'Has vuelto a iniciar sesión desde que la abriste, así que no se guardó nada. Abre la página de nuevo y vuelve a intentarlo.',
  'Open the page again': 'Abrir la página de nuevo',
  'This form came from another site': 'Este formulario llegó desde otro sitio',
  'For your safety, nothing was changed. Open the page here and try again.':
    'Por tu seguridad, no se cambió nada. Abre la página aquí e inténtalo de nuevo.',
  'Page not found': 'Página no encontrada',
  'The link may be wrong, or the page was removed.':
    'Puede que el enlace no sea correcto o que la página se haya eliminado.',
  'We’ll be back in a moment': 'Volvemos en un momento',
  'Try again in a few seconds.': 'Inténtalo de nuevo en unos segundos.',
  'Too many requests': 'Demasiadas solicitudes',
  'They came from your network. Nothing was changed. Try again in a few seconds.':
    'Llegaron desde tu red. No se cambió nada. Inténtalo de nuevo en unos segundos.',
  'Something went wrong': 'Algo salió mal',
  'It’s our fault. Try again.': 'El fallo es nuestro. Inténtalo de nuevo.',
  'This request couldn’t be read': 'No se pudo leer esta solicitud',
  'Nothing was changed. Go back and try again.': 'No se cambió nada. Vuelve atrás e inténtalo de nuevo.',
  'Nothing was changed.': 'No se cambió nada.',
  'Try again tomorrow.': 'Inténtalo de nuevo mañana.',
  'You, your apps or your network have asked for too much.':
    'Se han hecho demasiadas solicitudes desde tu cuenta, tus aplicaciones o tu red.',
  'You have made too many changes in one day.': 'Has hecho demasiados cambios en un día.',
  'You or your network have sent too many emails through us.':
    'Se han enviado demasiados correos desde tu cuenta o tu red.',
  'This booking has changed too often. You can still cancel it.':
    'Esta reserva cambió demasiadas veces. Aún puedes cancelarla.',
  'Too many accounts or links were asked for from your network.':
    'Se han solicitado demasiadas cuentas o enlaces desde tu red.',
  'Send it again': 'Enviarlo de nuevo',
} as const satisfies Dictionary;
