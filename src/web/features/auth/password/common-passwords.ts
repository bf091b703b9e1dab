/** Passwords, and words in passwords, that lists of stolen ones have most often. In lower case. */
export const commonPasswords: readonly string[] = `
000000 0000000 00000000 010203 0123456789 101010 102030 111111 1111111 11111111 112233 11223344 121212 123123 123123123 123321
1234 12341234 12345 123456 1234567 12345678 123456789 1234567890 12345679 123454321 12344321 123654 123abc 123qwe 131313 142536
147258 147258369 147852 159357 159753 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 222222 232323 252525 258456 303030 333333
369258147 420420 444444 456456 456789 520520 555555 5201314 654321 666666 696969 741852 741852963 777777 7777777 789456 789456123
789789 852456 87654321 888888 88888888 963852741 987654 987654321 9876543210 999999 a123456 a123456789 a1b2c3 a1b2c3d4 aa123456
aaaaaa aaaaaaaa abc123 abcabc abcd abcd1234 abcdef abcdefg abcdefgh access adidas admin administrator alexander alexis alice
amanda america andrea andrew angel angela angels animal anthony apple apples arsenal asdasd asdf asdfasdf asdfgh asdfghjkl ashley
austin autumn awesome baby babygirl badboy bailey banana barcelona baseball basketball batman beautiful bella benjamin bigboy
blink182 bonjour brandon bubbles buddy buster butterfly carlos carolina cassie changeme charles charlie cheese chelsea chester
chicken chocolate chris christian christmas christopher claudia coffee computer cookie cooper corvette cowboy cowboys crystal
cuebird dallas daniel daniela danielle david december default demo diablo diamond dolphin donald dragon dragons eagles eminem
estrella fashion ferrari fender flower flowers football forever freedom friend friends fuckyou gabriel garfield george ginger
google gracie guest guitar hannah hardcore harley heather hello hellohello hockey hottie hunter iceman iloveu iloveyou internet
isabella jackson jaguar james jasmine jasper jennifer jessica jesus jesuschrist johnny jonathan jordan joseph joshua junior justin
karina katherine killer kimberly knight lakers lauren letmein letmein1 liverpool lizard london login logitech love lovely loveme
lover loveyou lucky maggie magic manchester marina marlboro martin master matrix matthew maverick melissa mercedes merlin metallica
michael michelle mickey midnight mike monica monkey monster morgan mother muffin mustang naruto nascar natasha nathan newyork
ncc1701 nicholas nicole nothing nintendo oliver orange packers pakistan pass passw0rd passwd password passwords passwort patricia
patrick peanut pepper phoenix player please pokemon princess prince princesa purple pussy qazwsx qazwsxedc qqqqqq qwaszx qwe123
qweasd qweasdzxc qweqwe qwert qwerty qwertyui qwertyuiop qwertz rachel raiders rainbow rangers realmadrid rebecca richard robert
rockyou ronaldo rosebud root samantha samsung samuel sandra sarah scooby scorpion sebastian secret security shadow shannon
shopping silver single slipknot snoopy snowball soccer sophie spider spiderman spring starwars steelers stella steven strawberry
success sugar summer sunflower sunshine superman superstar sweety taylor teacher tennis test test123 tester testing testtest theman
thomas thunder tiffany tiger tigers tigger tinkerbell tomcat toyota trustno1 tweety unknown user vanessa veronica victoria
vincent warrior welcome welcome1 whatever william willow winner winter wizard xxxxxx yamaha yankees yellow zaq12wsx zaq1zaq1 zxcvbn
zxcvbnm zzzzzz`
  .trim()
  .split(/\s+/);
